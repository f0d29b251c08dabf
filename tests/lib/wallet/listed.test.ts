import { afterAll, describe, expect, test, vi } from 'vitest'
import { connect, disconnect } from 'wagmi/actions'
import { numberMarks } from '#lib/page/format.ts'
import { whenListed } from '#lib/wallet/announced.ts'
import { addListed, loadListed } from '#lib/wallet/listed.ts'
import { announcedId, findListed, listedId } from '#lib/wallet/listed-id.ts'
import { readVisitor } from '#lib/wallet/read-visitor.ts'
import { encodeVisitor } from '#lib/wallet/visitor.ts'
import * as site from '#site'
import { createTab } from '../../../app/_wallet/tab.ts'
import { own as address } from './accounts.ts'
import { goodWallet } from './hostile-wallet.ts'
import { chains, configWith } from './one-chain.ts'

// A browser without extensions. The wallets check for them on import.
vi.hoisted(() => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('location', { origin: 'https://app.example' })
})
afterAll(() => vi.unstubAllGlobals())

const options = { appName: 'App', walletConnectId: '0123456789abcdef0123456789abcdef' }
/** No extension is here. */
const wallets = site.wallets.filter((id) => id !== 'injected')

const ids = (config: ReturnType<typeof configWith>) => config.connectors.map(listedId)

describe.each(wallets)('%s is listed once', (wallet) => {
  test('when the list was opened before it reconnected, and waiting for it returns no other', async () => {
    const config = configWith()
    const waited = whenListed(config, wallet)
    addListed(config, options)
    expect(loadListed(config, options, wallet)).toBe(findListed(config, wallet))
    expect(ids(config)).toEqual(wallets)
    expect(listedId(await waited)).toBe(wallet)
  })

  test('when it reconnected before the list was opened', () => {
    const config = configWith()
    const connector = loadListed(config, options, wallet)
    addListed(config, options)
    expect(ids(config).toSorted()).toEqual(wallets.toSorted())
    expect(config.connectors).toContain(connector)
  })
})

test('an unlisted wallet is not registered', () => {
  const config = configWith()
  expect(loadListed(config, options, 'a.stranger')).toBeNull()
  expect(ids(config)).toEqual([])
})

/** Connects a listed wallet in a page with this extension, and without WalletConnect. */
async function connectListed(id: string, ethereum: object) {
  vi.stubGlobal('window', { ethereum })
  const config = configWith()
  const connector = loadListed(config, { ...options, walletConnectId: '' }, id)
  if (connector === null) throw new Error('the wallet must be listed')
  await connect(config, { connector })
  expect(config.state.status).toBe('connected')
  return { config, connector }
}

test('MetaMask in the page is asked itself, also where it does not announce itself and no SDK could reach it', async () => {
  const { provider, asked } = goodWallet()
  const ethereum = { ...provider, isMetaMask: true }
  const { connector } = await connectListed('metaMask', ethereum)
  expect(connector.type).toBe('injected')
  expect(asked).toContain('eth_requestAccounts')
  // Wallets that only claim to be MetaMask are ignored.
  await expect(connectListed('metaMask', { ...ethereum, isRabby: true })).rejects.toThrow('must be listed')
})

test('a wallet of the list reconnects at once, where no wallet ever announces itself', async () => {
  const { provider, asked } = goodWallet()
  const window = { ethereum: provider }
  vi.stubGlobal('window', Object.assign(window, { parent: window }))
  const { config, reconnect } = createTab({
    ...options,
    chains,
    gateway: '',
    demo: false,
    numberMarks: numberMarks('en'),
    visitor: { address, chainId: 137, connectorId: 'injected' },
    hasEvidence: false,
    hasNames: false,
    isVisitorRefused: false,
    signedIn: null,
  })
  expect(await reconnect.start()).toBe('connected')
  expect(config.state.status).toBe('connected')
  expect(asked).not.toContain('eth_requestAccounts')
})

test('a disconnected injected wallet keeps its permission, which other tabs need', async () => {
  const { provider, asked } = goodWallet()
  const { config } = await connectListed('injected', provider)
  await disconnect(config)
  expect(asked).toContain('eth_chainId')
  expect(asked).not.toContain('wallet_revokePermissions')
  expect(config.state.status).toBe('disconnected')
})

test.each([
  ['io.metamask', 'io.metamask'],
  ['wallet', 'announced.wallet'],
  ['io.Wallet_One', 'announced.io-wallet-one'],
  ['safe', 'announced.safe'],
  ['', 'announced.-'],
  ['ü'.repeat(99), `announced.${'-'.repeat(63)}`],
])('a wallet that announces itself as “%s” is remembered as %s', (rdns, id) => {
  expect(announcedId(rdns)).toBe(id)
  const visitor = { address, chainId: 137, connectorId: id } as const
  expect(readVisitor(encodeVisitor(visitor))).toEqual(visitor)
})
