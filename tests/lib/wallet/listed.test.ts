import { afterAll, expect, test, vi } from 'vitest'
import { whenListed } from '#lib/wallet/announced.ts'
import { createWalletConfig } from '#lib/wallet/config.ts'
import { addListed, loadListed } from '#lib/wallet/listed.ts'
import { listedId } from '#lib/wallet/listed-id.ts'

// A browser without an extension, as far as the wallets look for one; they do so when they are imported.
vi.hoisted(() => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('location', { origin: 'https://app.example' })
})
afterAll(() => vi.unstubAllGlobals())

const options = { appName: 'App', walletConnectId: '0123456789abcdef0123456789abcdef' }
const wallets = ['safe', 'rainbow', 'coinbase', 'metaMask', 'walletConnect', 'brave']

function make() {
  const currency = { name: 'Coin', symbol: 'COIN', decimals: 18 }
  const chain = { id: 137, name: 'Chain', currency, explorer: null, publicUrls: [] }
  return createWalletConfig({ chains: [chain], gateway: '', visitor: null })
}

type Config = ReturnType<typeof make>
const ids = (config: Config) => config.connectors.map(listedId)

for (const wallet of wallets) {
  test(`${wallet} is listed once where the list was opened before it came back`, () => {
    const config = make()
    addListed(config, options)
    const known = config.connectors.find((connector) => listedId(connector) === wallet)
    expect(loadListed(config, options, wallet)).toBe(known)
    expect(ids(config)).toEqual(wallets)
  })

  test(`${wallet} is listed once where it came back before the list was opened`, () => {
    const config = make()
    const connector = loadListed(config, options, wallet)
    addListed(config, options)
    expect(ids(config).toSorted()).toEqual(wallets.toSorted())
    expect(config.connectors).toContain(connector)
  })

  test(`whoever waits for ${wallet} is not given another wallet of the list`, async () => {
    const config = make()
    const waited = whenListed(config, wallet)
    addListed(config, options)
    expect(listedId(await waited)).toBe(wallet)
  })
}

test('a wallet that nobody lists is not made known', () => {
  const config = make()
  expect(loadListed(config, options, 'a.stranger')).toBeNull()
  expect(ids(config)).toEqual([])
})
