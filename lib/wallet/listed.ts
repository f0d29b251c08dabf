import type { Wallet, WalletDetailsParams } from '@rainbow-me/rainbowkit'
import {
  braveWallet,
  coinbaseWallet,
  injectedWallet,
  metaMaskWallet,
  rainbowWallet,
  safeWallet,
  walletConnectWallet,
} from '@rainbow-me/rainbowkit/wallets'
import { type Config, type Connector, type CreateConnectorFn, createConnector } from 'wagmi'
import { injected, safe } from 'wagmi/connectors'
import { wallets } from '#site'
import { addConnector } from './add-connector.ts'
import { checkAccent } from './checks.ts'
import { findInjected, makeReading, readEthereum } from './ethereum.ts'
import type { InjectedProvider } from './injected.ts'
import { findListed } from './listed-id.ts'
import { isOpenedBySafe } from './opened-by-safe.ts'
import { connectLate, type RelayOptions, relayed, withSession } from './relayed.ts'

/** Without a project id the wallets that need WalletConnect's relay are unavailable and say so. */
type Factory = (options: RelayOptions) => Wallet | null

export const projectIdMissing =
  'No projectId found. Every dApp must now provide a WalletConnect Cloud projectId to enable WalletConnect v2'

/** By RainbowKit's id. Null: not available in this browser. */
const factories = {
  injected: () => inPage(injectedWallet(), findInjected()),
  safe: () => patientSafe(),
  rainbow: (options) =>
    inPage(rainbowWallet(named(options)), findInjected('isRainbow')) ??
    (options.walletConnectId ? rainbowWallet(named(options)) : null),
  coinbase: ({ appName }) => coinbaseWallet({ appName }),
  metaMask: (options) =>
    metaMaskInPage(options) ?? (options.walletConnectId ? metaMaskWallet(named(options)) : null),
  walletConnect: (options) =>
    options.walletConnectId ? walletConnectWallet(relayed(options)) : withoutProjectId(),
  brave: () => inPage(braveWallet(), findInjected('isBraveWallet')) ?? { ...braveWallet(), installed: false },
} satisfies Readonly<Record<string, Factory>>

/** Each wallet of site.config.ts has a factory. */
const listed: readonly (keyof typeof factories)[] = wallets

/** Adds every listed wallet to wagmi, once. */
export function addListed(config: Config, options: RelayOptions): void {
  for (const id of listed) {
    if (!findListed(config, id)) add(config, id, options)
  }
}

/** Adds the listed wallet of this id to wagmi; null when it is not listed or not available here. */
export function loadListed(config: Config, options: RelayOptions, id: string): Connector | null {
  const wanted = listed.find((each) => each === id)
  if (!wanted) return null
  // Opening the list may have added it in the meantime.
  return findListed(config, id) ?? add(config, wanted, options)
}

function add(config: Config, id: keyof typeof factories, options: RelayOptions): Connector | null {
  const create: Factory = factories[id]
  const wallet = makeReading(() => create(options))
  if (!wallet || wallet.hidden?.()) return null
  return connectLate(config, addConnector(config, connectorFor(wallet, listed.indexOf(id))))
}

/** The wallet's connector, with the details that RainbowKit lists. */
function connectorFor(
  { createConnector: create, hidden: _, ...wallet }: Wallet,
  index: number,
): CreateConnectorFn {
  checkAccent(wallet)
  return withSession(
    create({
      rkDetails: { ...wallet, index, groupIndex: 1, groupName: 'Popular', isRainbowKitConnector: true },
    } as WalletDetailsParams),
  )
}

/** The wallet through what is in the page; null when that is not there. RainbowKit would ask it without a guard. */
function inPage(wallet: Wallet, provider: InjectedProvider | undefined): Wallet | null {
  if (!provider) return null
  const target = { id: wallet.id, name: wallet.name, provider: provider as never }
  return {
    ...wallet,
    createConnector: (details) =>
      createConnector((config) => ({ ...injected({ target })(config), ...details })) as CreateConnectorFn,
  }
}

/**
 * MetaMask through its injected provider; null when it is not injected. RainbowKit would load MetaMask's SDK, which calls
 * MetaMask's servers and never answers when an older MetaMask is installed.
 */
function metaMaskInPage(options: RelayOptions): Wallet | null {
  // RainbowKit detects other wallets that claim to be MetaMask. It requires a project id even for that.
  const wallet = metaMaskWallet({ ...named(options), projectId: options.walletConnectId || 'none' })
  return wallet.installed ? inPage(wallet, readEthereum()) : null
}

/** How long to wait for Safe's account. RainbowKit's default is ten milliseconds. */
const safeInfoMs = 3000
/** The same inside Safe's frame, where there is no other wallet to fall back to. */
const safeInfoFramedMs = 30_000

function patientSafe(): Wallet {
  const connect = safe({
    allowedDomains: [/^https:\/\/app\.safe\.global$/],
    unstable_getInfoTimeout: isOpenedBySafe() ? safeInfoFramedMs : safeInfoMs,
  })
  return {
    ...safeWallet(),
    createConnector: (details) =>
      createConnector((config) => {
        const connector = connect(config)
        return {
          ...connector,
          ...details,
          async getProvider() {
            try {
              return await connector.getProvider.call(this)
            } catch (cause) {
              throw new Error('Could not load Safe information', { cause })
            }
          },
        }
      }),
  }
}

/** WalletConnect without a project id: it is listed, and connecting reports what is missing. */
function withoutProjectId(): Wallet {
  const { qrCode: _, ...wallet } = walletConnectWallet({ projectId: 'missing' })
  const refuse = async () => {
    throw new Error(projectIdMissing)
  }
  return {
    ...wallet,
    createConnector: (details) =>
      createConnector((config) => ({
        ...wallet.createConnector(details)(config),
        connect: refuse,
        getProvider: refuse,
        isAuthorized: async () => false,
      })) as CreateConnectorFn,
  }
}

function named(options: RelayOptions) {
  const { projectId, options: walletConnectParameters } = relayed(options)
  return { projectId, walletConnectParameters }
}
