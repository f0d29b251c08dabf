import { earlyAnswer } from './early-wake.ts'
import { attempt, isObject, read } from './untrusted.ts'
import { toAccounts, toChainId } from './wallet-values.ts'

/** Any function that an extension may have put into the page. */
type Unchecked = (...values: unknown[]) => unknown
type Listener = (value: never) => unknown

/** A wallet in the page that can be read without a check: no member throws, whatever the wallet does. */
export interface InjectedProvider {
  /** Rejects with a `WalletError` only. */
  readonly request: (args: { readonly method: string; readonly params?: unknown }) => Promise<unknown>
  readonly on: (event: string, listener: Listener) => unknown
  readonly removeListener: (event: string, listener: Listener) => unknown
  /** The wallets that share this object, if there are several. */
  readonly providers: readonly InjectedProvider[] | undefined
  /** Flags such as `isMetaMask`. */
  readonly [member: string]: unknown
}

/** An error of a wallet, in a form that libraries can read. What a wallet rejects with may be null, or an object that throws. */
export class WalletError extends Error {
  readonly code: number | undefined
  readonly data: { readonly originalError: { readonly code: number } } | undefined
  readonly walletMethod: string

  constructor(walletMethod: string, cause: unknown) {
    const message = typeof cause === 'string' ? cause : read(cause, 'message')
    super(typeof message === 'string' ? message : 'The wallet gave no reason.')
    this.name = 'WalletError'
    const code = read(cause, 'code')
    const inner = read(read(read(cause, 'data'), 'originalError'), 'code')
    this.code = typeof code === 'number' ? code : undefined
    this.data = typeof inner === 'number' ? { originalError: { code: inner } } : undefined
    this.walletMethod = walletMethod
  }
}

const guards = new WeakMap<object, InjectedProvider>()

/** The wallet behind a guard; undefined for what is no wallet, or cannot be read. */
export function guarded(wallet: unknown): InjectedProvider | undefined {
  if (!isObject(wallet) || typeof read(wallet, 'request') !== 'function') return undefined
  const known = guards.get(wallet)
  if (known) return known
  const guard = guardOf(wallet)
  guards.set(wallet, guard)
  guards.set(guard, guard)
  return guard
}

function guardOf(wallet: object): InjectedProvider {
  const listen = (names: readonly string[]) => (event: string, listener: Listener) =>
    void call(wallet, names.find((name) => typeof read(wallet, name) === 'function') ?? '', event, listener)
  const own: Readonly<Record<string, unknown>> = {
    request: (args: { method: string }) => request(wallet, args),
    on: listen(['on', 'addListener']),
    removeListener: listen(['removeListener', 'off']),
  }
  // Not around the wallet itself: a proxy must show fixed members of its target as they are.
  return new Proxy({} as InjectedProvider, {
    get(_, member) {
      // With a `then` of the wallet's own, whoever awaits the guard would wait for that.
      if (typeof member === 'symbol' || member === 'then') return undefined
      if (Object.hasOwn(own, member)) return own[member]
      if (member === 'providers') return providersOf(wallet)
      const value = read(wallet, member)
      return typeof value === 'function' ? (...values: unknown[]) => call(wallet, member, ...values) : value
    },
  })
}

/** Extensions that fight over the property leave all kinds of things in this list. */
function providersOf(wallet: object): readonly InjectedProvider[] | undefined {
  const list = read(wallet, 'providers')
  const providers = attempt(() => (Array.isArray(list) ? list.flatMap((one) => guarded(one) ?? []) : []))
  return providers && providers.length > 0 ? providers : undefined
}

/** Calls a method that has no outcome of interest, not even a late failure. */
function call(wallet: object, member: string, ...values: unknown[]): unknown {
  return attempt(() => {
    const result = (Reflect.get(wallet, member) as Unchecked).apply(wallet, values)
    if (result instanceof Promise) result.catch(() => {})
    return result
  })
}

/** Requests that a wallet is not sent, with the reason. */
const refused: Readonly<Record<string, string>> = {
  // wagmi sends it on disconnect, which would also disconnect our other tabs.
  wallet_revokePermissions: 'kept',
  // viem sends it after some errors of `eth_sendTransaction`. A wallet that had sent the transaction would send it twice.
  wallet_sendTransaction: 'method not found',
}
const methodNotFound = -32601

/** A wallet answers these without the visitor. */
const silentMethods: readonly string[] = ['eth_accounts', 'eth_chainId']
export const silentMs = 10_000

async function request(wallet: object, args: { readonly method: string }): Promise<unknown> {
  const { method } = args
  const reason = Object.hasOwn(refused, method) ? refused[method] : undefined
  if (reason) throw new WalletError(method, { code: methodNotFound, message: reason })
  try {
    const isSilent = silentMethods.includes(method)
    const send = async () => (Reflect.get(wallet, 'request') as Unchecked).call(wallet, args)
    const early = isSilent ? earlyAnswer(wallet, method) : undefined
    // A wallet that was waking may have failed then.
    const answer = early instanceof Promise ? early.catch(send) : send()
    return await parse(method, await (isSilent ? inTime(answer) : answer))
  } catch (cause) {
    throw new WalletError(method, cause)
  }
}

/** Results that libraries use without a check. */
async function parse(method: string, result: unknown): Promise<unknown> {
  if (method === 'eth_accounts' || method === 'eth_requestAccounts') return (await toAccounts(result)) ?? []
  if (method !== 'eth_chainId') return result
  const chainId = toChainId(result)
  if (chainId === undefined) throw new Error('no network from the wallet')
  return `0x${chainId.toString(16)}`
}

function inTime(answer: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(reject, silentMs, new Error('The wallet took too long to respond.'))
    void answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
