import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect, disconnect, getAccount } from 'wagmi/actions'
import { addAnnounced } from '#lib/wallet/announced.ts'
import { addListed } from '#lib/wallet/listed.ts'
import { listedId } from '#lib/wallet/listed-id.ts'
import { readVisitor } from '#lib/wallet/read-visitor.ts'
import { attempt } from '#lib/wallet/untrusted.ts'
import { encodeVisitor } from '#lib/wallet/visitor.ts'
import { site } from '#site'
import { own as account, other as another } from './accounts.ts'
import {
  anyInjected,
  anyValue,
  broken,
  goodWallet,
  memberNames,
  properties,
  throwing,
  windowWith,
} from './hostile-wallet.ts'
import { configWith } from './one-chain.ts'

vi.hoisted(() => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('location', { origin: 'https://app.example' })
})

const options = { appName: 'App', walletConnectId: '0123456789abcdef0123456789abcdef' }

/** Opens the list of wallets in this page, and hears what is announced. */
function openList(page = windowWith(() => undefined)) {
  vi.stubGlobal('window', page)
  const config = configWith()
  addAnnounced(config, () => true)
  addListed(config, options)
  const announce = (detail: unknown) =>
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  const connectorOf = (id: string) => config.connectors.find((connector) => listedId(connector) === id)
  const connectTo = (id: string) => {
    const connector = connectorOf(id)
    if (!connector) throw new Error(`${id} must be listed`)
    return connect(config, { connector })
  }
  /** A wallet that announces itself connects. */
  async function connectGood(rdns = 'good.wallet') {
    announce(goodWallet(rdns).detail)
    await connectTo(rdns)
    expect(getAccount(config).address).toBe(account)
  }
  return { config, announce, connectorOf, connectTo, connectGood }
}

/** The list with a wallet that announces itself, and says this. */
function listWith(info: object = {}) {
  const [page, wallet] = [openList(), goodWallet()]
  page.announce({ ...wallet.detail, info: { ...wallet.detail.info, ...info } })
  return { ...page, ...wallet }
}
async function connected() {
  const page = listWith()
  await page.connectTo('good.wallet')
  return page
}

const unhandled: unknown[] = []
const note = (reason: unknown) => void unhandled.push(reason)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})

describe('what an extension put at window.ethereum', () => {
  test('that is no wallet leaves every other wallet in the list, whatever it says of itself', () => {
    const claims = { isMetaMask: true, isRainbow: true, isBraveWallet: true }
    const { config } = openList(windowWith(() => claims))
    const others = ['safe', 'rainbow', 'coinbase', 'metaMask', 'walletConnect']
    expect(config.connectors.map(listedId)).toEqual(expect.arrayContaining(others))
  })

  test('a wallet that takes the place of what cannot be read can be connected', async () => {
    const page = windowWith(() => null)
    openList(page)
    Reflect.set(page, 'ethereum', goodWallet().provider)
    expect(await openList(page).connectTo('injected')).toEqual({ accounts: [account], chainId: 137 })
  })

  test('never fails the SDK of another wallet, which reads it when the visitor connects', () => {
    const failing = {
      request: async () => [],
      get isCoinbaseBrowser() {
        return broken()
      },
    }
    openList(windowWith(() => failing))
    expect(() => Reflect.get(Reflect.get(window, 'ethereum'), 'isCoinbaseBrowser')).not.toThrow()
  })

  test('is left as it is where it can be read', () => {
    const { provider } = goodWallet()
    openList(windowWith(() => provider))
    expect(Reflect.get(window, 'ethereum')).toBe(provider)
  })

  test('anything: the list opens, and an announced wallet connects', async () => {
    const property = fc.constantFrom(...properties)
    await fc.assert(
      fc.asyncProperty(property, anyInjected, fc.boolean(), async (property, make, throws) => {
        const value = make()
        const isThrown = throws && property.endsWith('getter')
        const page = windowWith(() => (isThrown ? throwing(value) : value), property)
        const { connectorOf, connectGood } = openList(page)
        for (const id of ['safe', 'coinbase', 'walletConnect']) expect(connectorOf(id), id).toBeDefined()
        await connectGood()
      }),
      { numRuns: 300 },
    )
  })
})

describe('what announces itself', () => {
  test('as anything at all is passed over, and the next wallet connects', async () => {
    const { announce, connectGood } = openList()
    const members = fc.tuple(anyValue, anyValue, anyValue, anyInjected)
    fc.assert(
      fc.property(members, fc.constantFrom(0, 1, 2), ([one, two, three, make], form) => {
        const { info } = goodWallet('odd.wallet').detail
        const infos = [one, () => ({ ...info, rdns: one(), name: two(), icon: three() }), () => info]
        announce(form === 2 ? one() : { info: infos[form]?.(), provider: make() })
      }),
      { numRuns: 1000 },
    )
    await connectGood()
  })

  test.each([
    undefined,
    '',
    'https://wallet.example/icon.png',
    'data:text/html,hi',
    `data:image/png;base64,${'a'.repeat(200_000)}`,
  ])('with the icon %j is listed with its initial, and connects', async (icon) => {
    const { connectTo, connectorOf } = listWith({ icon, name: '“Ωmega Wallet”' })
    await connectTo('good.wallet')
    expect(connectorOf('good.wallet')?.icon).toMatch(/^data:image\/svg\+xml,.*%3E%CE%A9%3C\/text/)
  })

  test('with a name of 300 letters is listed with the first of them', () => {
    const { connectorOf } = listWith({ name: 'x'.repeat(300) })
    expect(connectorOf('good.wallet')?.name).toBe(`${'x'.repeat(20)}…`)
  })

  test('without a way to hear events can be connected, left and connected again', async () => {
    const { announce, connectTo, config } = openList()
    const { detail, provider } = goodWallet()
    announce({ ...detail, provider: Object.freeze({ request: provider.request }) })
    for (let turn = 0; turn < 2; turn++) {
      await connectTo('good.wallet')
      await disconnect(config)
    }
    expect(config.state.status).toBe('disconnected')
  })
})

/** What wagmi knows of the wallet must always be something that the server accepts from the cookie. */
function visitorOf({ state }: ReturnType<typeof configWith>) {
  const connection = state.connections.get(state.current ?? '')
  return (
    connection && { address: connection.accounts[0], chainId: connection.chainId, connectorId: 'good.wallet' }
  )
}

describe('a connected wallet', () => {
  const stays = { address: account, chainId: 137 }

  // Which values are accounts and chains: injected.test.ts.
  test.each([
    ['chainChanged', null, stays],
    ['chainChanged', '0x1', { ...stays, chainId: 1 }],
    ['accountsChanged', undefined, stays],
    ['accountsChanged', [undefined], stays],
    ['accountsChanged', [undefined, another], { ...stays, address: another }],
    ['connect', null, stays],
    ['disconnect', null, undefined],
    ['disconnect', 'for no reason', undefined],
  ])('that emits %s with %o is at %o', async (event, value, visitor) => {
    const { config, emit } = await connected()
    await emit(event, value)
    expect(visitorOf(config)).toEqual(visitor && { ...visitor, connectorId: 'good.wallet' })
  })

  test('may emit anything: its account and chain stay such as the cookie may hold', async () => {
    const { config, emit } = await connected()
    const values = fc.constantFrom<unknown[]>('0x1', 137, '42161', '0x0', account, another.toLowerCase())
    const value = fc.oneof(
      anyValue,
      values.map((each) => () => each),
    )
    const event = fc.constantFrom('chainChanged', 'accountsChanged', 'accounts', 'connect')
    await fc.assert(
      fc.asyncProperty(event, value, anyValue, async (name, one, two) => {
        const value = name === 'accounts' ? [one(), two()] : one()
        // An empty list locks the wallet, which is another state.
        if (attempt(() => Array.isArray(value) && value.length === 0)) return
        await emit(name === 'accounts' ? 'accountsChanged' : name, value)
        const visitor = visitorOf(config)
        expect(visitor && readVisitor(encodeVisitor(visitor as never))).toEqual(visitor)
      }),
      { numRuns: 2000 },
    )
  })

  test.each(memberNames)('may lose its %s at any moment, and another one connects', async (name) => {
    await fc.assert(
      fc.asyncProperty(anyValue, fc.boolean(), async (make, throws) => {
        const { connectGood, provider, emit } = await connected()
        Object.defineProperty(provider, name, { get: () => (throws ? throwing(make()) : make()) })
        await emit('accountsChanged', [another])
        await emit('chainChanged', '0x1')
        await emit('disconnect', { code: 1013 })
        await connectGood('other.wallet')
      }),
      { numRuns: 20 },
    )
  })
})

describe('a wallet that is connected', () => {
  test.each([
    ['eth_chainId', null, 'no network from the wallet'],
    ['eth_requestAccounts', [], 'no account from the wallet'],
    ['eth_requestAccounts', null, 'no account from the wallet'],
  ])('and answers %s with %o is refused, with the reason', async (method, result, reason) => {
    const { connectTo, connectorOf, config, answers } = listWith()
    answers[method] = result
    // RainbowKit asks for the chain first, and would keep an error to itself.
    expect(await connectorOf('good.wallet')?.getChainId()).toBe(site.initialChainId)
    await expect(connectTo('good.wallet')).rejects.toThrow(reason)
    expect(config.state.status).toBe('disconnected')
  })

  test('and whose network cannot be read is not taken to be on ours', async () => {
    const { connectorOf, answers } = await connected()
    answers.eth_chainId = null
    await expect(connectorOf('good.wallet')?.getChainId()).rejects.toThrow('no network from the wallet')
  })
})
