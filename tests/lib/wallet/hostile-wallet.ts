import fc from 'fast-check'
import { own as account } from './accounts.ts'

/** How an extension may define `ethereum`. */
export const properties = ['value', 'getter', 'fixed value', 'fixed getter', 'declared'] as const

/** A window with this at `ethereum`; a getter calls it on each read. */
export function windowWith(value: () => unknown, property: (typeof properties)[number] = 'value'): Window {
  const window = new EventTarget()
  const configurable = property === 'value' || property === 'getter'
  const writable = property !== 'fixed value'
  const member = property.endsWith('getter') ? { get: value } : { writable, value: value() }
  Object.defineProperty(window, 'ethereum', { configurable, ...member })
  return window as Window
}

export function throwing(value: unknown): never {
  throw value
}
export const broken = () => throwing(new Error('Extension context invalidated.'))

/** Nothing about it can be read: each trap of the proxy throws. */
export const unreadable = () => new Proxy(() => {}, new Proxy({}, { get: broken }))

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}
const promiseLike = (then: PropertyDescriptor) => Object.defineProperty({}, 'then', then)

const oddities: readonly (() => unknown)[] = [
  ...[null, undefined, Number.NaN, 1.2e24, 7n, Symbol('odd'), [undefined, null]].map((value) => () => value),
  () => Object.create(null),
  () => new Date(Number.NaN),
  unreadable,
  revoked,
  () => promiseLike({ value: broken }),
  () => promiseLike({ value() {} }),
  () => promiseLike({ get: broken }),
]

/** How to make a value. The values themselves would throw inside fast-check. */
type Recipe<Value = unknown> = () => Value

/** Any value, those in particular at which code stumbles. */
export const anyValue: fc.Arbitrary<Recipe> = fc.oneof(
  fc.constantFrom(...oddities),
  fc.anything({ withBigInt: true, withSparseArray: true, maxDepth: 2 }).map((value) => () => value),
)

/** What a function of a wallet does when it is called. */
const anyFunction: fc.Arbitrary<Recipe> = anyValue.chain((value) =>
  fc.constantFrom(
    value,
    async () => value(),
    () => throwing(value()),
    () => Promise.reject(value()),
    () => new Promise(() => {}),
  ),
)

/** A member of a wallet: how it is defined on it. */
const anyMember: fc.Arbitrary<Recipe<PropertyDescriptor>> = fc.oneof(
  { weight: 3, arbitrary: anyFunction.map((value) => () => ({ value })) },
  anyValue.map((make) => () => ({ value: make() })),
  anyValue.map((make) => () => ({ get: () => throwing(make()) })),
)

const functions = ['request', 'on', 'off', 'removeListener', 'addListener', 'then', 'setAppInfo']
const internals = ['providers', '_events', '_state']
const claims = ['isMetaMask', 'isRainbow', 'isBraveWallet', 'isCoinbaseBrowser']
/** What is read of a wallet somewhere. */
export const memberNames = [...functions, ...claims, ...internals, 'toString', 'toJSON']

/** A wallet of which any member may be anything. */
const anyWallet: fc.Arbitrary<Recipe> = fc
  .tuple(
    fc.dictionary(fc.constantFrom(...memberNames), anyMember, { maxKeys: 8 }),
    fc.constantFrom('open', 'frozen', 'function', 'nested'),
  )
  .map(([members, form]) => () => {
    const wallet = form === 'function' ? () => {} : {}
    for (const [name, member] of Object.entries(members)) Reflect.defineProperty(wallet, name, member())
    if (form === 'frozen') return Object.freeze(wallet)
    return form === 'nested' ? { request() {}, providers: [wallet, null, {}] } : wallet
  })

/** Anything that an extension may put in the place of a wallet. */
export const anyInjected: fc.Arbitrary<Recipe> = fc.oneof(anyWallet, anyValue)

/** A wallet that works, and what it was asked. Its members can be replaced. */
export function goodWallet(rdns = 'good.wallet') {
  type Listener = readonly [event: string, hear: (value: unknown) => unknown]
  const listeners = new Set<Listener>()
  const of = (event: string) => [...listeners].filter(([name]) => name === event)
  const asked: string[] = []
  const answers: Record<string, unknown> = {
    eth_chainId: '0x89',
    eth_accounts: [account],
    eth_requestAccounts: [account],
  }
  const provider = {
    request: async ({ method }: { method: string }): Promise<unknown> => {
      asked.push(method)
      if (method in answers) return answers[method]
      throw Object.assign(new Error('method not found'), { code: -32601 })
    },
    on: (...listener: Listener) => void listeners.add(listener),
    removeListener(event: string, listener: unknown) {
      for (const each of of(event)) if (each[1] === listener) listeners.delete(each)
    },
  }
  const detail = { info: { uuid: '1', name: 'Good', icon: 'data:image/png;base64,', rdns }, provider }
  const emit = async (event: string, value?: unknown) => {
    for (const [, listener] of of(event)) await listener(value)
  }
  return { provider, detail, asked, answers, emit, listeners }
}
