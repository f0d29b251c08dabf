import { expect, test } from 'vitest'
import { createConnector } from 'wagmi'
import { addConnector } from '#lib/wallet/add-connector.ts'
import { hasOwners } from '#lib/wallet/calls.ts'
import { createWalletConfig } from '#lib/wallet/config.ts'

const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const polygon = {
  id: 137,
  name: 'Polygon',
  currency: { name: 'POL', symbol: 'POL', decimals: 18 },
  explorer: null,
  publicUrls: ['https://node.example'],
}

/** Whether the wallet of this connector counts as a multisig once it is connected. */
async function ask({ id, type, provider }: { id: string; type: string; provider: unknown }) {
  const config = createWalletConfig({ chains: [polygon], gateway: 'https://gateway.example', visitor: null })
  const { uid } = addConnector(
    config,
    createConnector(() => ({ id, name: id, type, getProvider: async () => provider }) as never),
  )
  const [connector] = config.connectors
  config.setState((state) => ({
    ...state,
    status: 'connected',
    current: uid,
    connections: new Map([[uid, { accounts: [account], chainId: 137, connector: connector as never }]]),
  }))
  return hasOwners(config)
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
