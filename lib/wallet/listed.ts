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
import { site } from '#lib/site.ts'
import { addConnector } from './announced.ts'
import { checkAccent } from './checks.ts'
import { findListed } from './listed-id.ts'
import { isOpenedBySafe } from './opened-by-safe.ts'
import { keepSession, type RelayOptions, relayed } from './relayed.ts'
import type { listedWallets } from './visitor.ts'

/** Without a project id whatever needs WalletConnect's relay is missing, and says so. */
export type ListedOptions = RelayOptions

type ListedId = (typeof listedWallets)[number]
type Factory = (options: ListedOptions) => Wallet | null

export const projectIdMissing =
  'No projectId found. Every dApp must now provide a WalletConnect Cloud projectId to enable WalletConnect v2'

/** The seed's seven, in its order. Null: not offered here. */
const factories: Readonly<Record<ListedId, Factory>> = {
  injected: () => (hasInjected() ? injectedWallet() : null),
  safe: () => patientSafe(),
  rainbow: (options) =>
    options.walletConnectId || isInjected('isRainbow') ? rainbowWallet(named(options)) : null,
  coinbase: (options) => coinbaseWallet({ appName: options.appName }),
  metaMask: (options) =>
    metaMaskInPage(options) ?? (options.walletConnectId ? metaMaskWallet(named(options)) : null),
  walletConnect: (options) =>
    options.walletConnectId ? walletConnectWallet(relayed(options)) : withoutProjectId(),
  brave: () => braveWallet(),
}

/** Makes every listed wallet known to wagmi, once. */
export function addListed(config: Config, options: ListedOptions): void {
  for (const id of Object.keys(factories) as ListedId[]) {
    if (!findListed(config, id)) add(config, id, options)
  }
}

/** Makes the one listed wallet of this id known; null when it is not ours or not offered here. */
export function loadListed(config: Config, options: ListedOptions, id: string): Connector | null {
  if (!(id in factories)) return null
  // The list may have been opened in the meantime, and then it is known.
  return findListed(config, id) ?? add(config, id as ListedId, options)
}

function add(config: Config, id: ListedId, options: ListedOptions): Connector | null {
  const wallet = factories[id](options)
  if (!wallet || wallet.hidden?.()) return null
  return addConnector(config, connectorFor(wallet, Object.keys(factories).indexOf(id)))
}

/** The wallet's connector with the details by which RainbowKit lists it. */
function connectorFor(
  { createConnector: create, hidden: _, ...wallet }: Wallet,
  index: number,
): CreateConnectorFn {
  checkAccent(wallet)
  return keepSession(
    create({
      rkDetails: { ...wallet, index, groupIndex: 1, groupName: 'Popular', isRainbowKitConnector: true },
    } as WalletDetailsParams),
  )
}

/**
 * MetaMask where it is in the page, reached by its own object; null where it is not. RainbowKit would load MetaMask's SDK, which
 * calls its makers' servers and never answers where the page has an older MetaMask.
 */
function metaMaskInPage(options: ListedOptions): Wallet | null {
  // RainbowKit knows who else calls itself so; it wants a project id even to be asked.
  const wallet = metaMaskWallet({ ...named(options), projectId: options.walletConnectId || 'none' })
  if (!wallet.installed) return null
  const target = { id: wallet.id, name: wallet.name, provider: Reflect.get(window, 'ethereum') }
  return {
    ...wallet,
    createConnector: (details) =>
      createConnector((config) => ({ ...injected({ target })(config), ...details })) as CreateConnectorFn,
  }
}

/** How long Safe may take to say which account it is: the stock wallet waits ten milliseconds. */
const safeInfoMs = 3000
/** The same where Safe's page has opened this one: there is no other wallet to turn to. */
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
          // RainbowKit asks for this before it connects, and keeps to itself what goes wrong there.
          async getChainId() {
            return connector.getChainId.call(this).catch(() => site.initialChainId)
          },
        }
      }),
  }
}

/** WalletConnect's row without a project id: it can be tried, and then says what is missing. */
function withoutProjectId(): Wallet {
  // biome-ignore lint/suspicious/noConsole: for whoever deploys this, in the place where they will look.
  console.error(new Error(projectIdMissing))
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
        getChainId: async () => site.initialChainId,
        isAuthorized: async () => false,
      })) as CreateConnectorFn,
  }
}

function named(options: ListedOptions) {
  const { projectId, options: walletConnectParameters } = relayed(options)
  return { projectId, walletConnectParameters }
}

function hasInjected(): boolean {
  return 'ethereum' in window
}

function isInjected(flag: string): boolean {
  const ethereum = (
    window as { ethereum?: Record<string, unknown> & { providers?: Record<string, unknown>[] } }
  ).ethereum
  return Boolean(ethereum?.[flag] || ethereum?.providers?.some((provider) => provider[flag]))
}
