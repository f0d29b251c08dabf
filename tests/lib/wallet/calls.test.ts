import { expect, test } from 'vitest'
import { createConnector } from 'wagmi'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { hasOwners, readWalletStatus } from '#lib/wallet/calls.ts'
import { createWalletConfig } from '#lib/wallet/config.ts'
import { recordOf } from './record.ts'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const polygon = {
  id: 137,
  name: 'Polygon',
  currency: { name: 'POL', symbol: 'POL', decimals: 18 },
  explorer: null,
  publicUrls: ['https://node.example'],
}

interface Wallet {
  readonly id: string
  readonly type: string
  readonly provider: unknown
}

/** Whether the wallet of this connector counts as a multisig once it is connected. */
const ask = (wallet: Wallet) => hasOwners(connected(wallet))

function connected({ id, type, provider }: Wallet) {
  const config = createWalletConfig({ chains: [polygon], gateway: 'https://gateway.example', visitor: null })
  const { uid } = addConnector(
    config,
    createConnector(
      () => ({ id, name: id, type, getProvider: async () => provider, getChainId: async () => 137 }) as never,
    ),
  )
  const [connector] = config.connectors
  config.setState((state) => ({
    ...state,
    status: 'connected',
    current: uid,
    connections: new Map([[uid, { accounts: [account], chainId: 137, connector: connector as never }]]),
  }))
  return config
}

const peer = (url: string) => ({ session: { peer: { metadata: { url } } } })

test('a Safe has several owners, in its own frame', async () => {
  expect(await ask({ id: 'safe', type: 'safe', provider: {} })).toBe(true)
})

test.each(['https://app.safe.global', 'https://app.safe.global/', 'https://safe.global/wallet'])(
  'and behind the relay, where it calls itself %s',
  async (url) => {
    expect(await ask({ id: 'walletConnect', type: 'walletConnect', provider: peer(url) })).toBe(true)
  },
)

test.each(['https://notsafe.global', 'https://safe.global.example', 'https://rainbow.me', 'safe.global', ''])(
  'a wallet that calls itself %s has one',
  async (url) => {
    expect(await ask({ id: 'walletConnect', type: 'walletConnect', provider: peer(url) })).toBe(false)
  },
)

test('a wallet in the browser has one, and so has one whose session is gone', async () => {
  expect(await ask({ id: 'a.wallet', type: 'injected', provider: {} })).toBe(false)
  expect(await ask({ id: 'walletConnect', type: 'walletConnect', provider: {} })).toBe(false)
})

test.each([7, {}, null, '0x12', [`0x${'a'.repeat(64)}`]])(
  'what a Safe returns in place of the hash is not shown as one: %j',
  async (transactionHash) => {
    expect(
      await statusOf({ status: 200, receipts: [{ transactionHash, blockNumber: '0x1', gasUsed: '0x1' }] }),
    ).toEqual({})
  },
)

test('a Safe returns the hash of what its owners have sent', async () => {
  const transactionHash = `0x${'a'.repeat(64)}`
  const receipts = [{ transactionHash, blockNumber: '0x1', gasUsed: '0x1', status: '0x1' }]
  expect(await statusOf({ status: 200, receipts })).toEqual({ sentAs: transactionHash })
})

/** The status of a transaction whose wallet answers so. */
function statusOf(answer: object) {
  const provider = {
    request: async () => ({ version: '2.0.0', id: '0x1', chainId: '0x89', atomic: true, ...answer }),
  }
  return readWalletStatus(recordOf(), connected({ id: 'safe', type: 'safe', provider }))
}
