import ipaddr from 'ipaddr.js'
import QuickLRU from 'quick-lru'
import type { CallerConfig } from '../config/config-types.ts'
import { hashOf } from '../config/parse-config.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { Abort } from '../runtime/abort.ts'
import { CallError } from '../runtime/errors.ts'
import type { Pace } from '../runtime/token-bucket.ts'
import { readRlp } from '../wire/rlp.ts'
import { isAllowed, type Protection } from './contracts.ts'

/** Parsing an address costs more than all the rest of an admission. */
const keys = new QuickLRU<string, string>({ maxSize: 10_000 })

/** No address is longer, with brackets, zone and port. */
const addressCharsMax = 64

/** Whatever is no address shares one name: it must buy no freedom from the budget. */
const unknown = 'unknown'

/**
 * The name under which a caller's budget is kept: the IPv4 address, or the /64 of an IPv6 address, since one subscriber
 * has all of it. An IPv4 address that is mapped into IPv6 is the same caller. Brackets, zone and port are ignored.
 *
 * @example
 * callerKey('[2001:db8:1:2::9]:443') // '2001:db8:1:2::/64'
 */
export function callerKey(address: string): string {
  if (address.length > addressCharsMax) return unknown
  const known = keys.get(address)
  if (known !== undefined) return known
  const key = keyOf(parsedAddress(address))
  keys.set(address, key)
  return key
}

/**
 * The /48 of a /64: one site may have all of it, with 65,536 names of callers in it. Null for an IPv4 address.
 *
 * @example
 * networkKey(callerKey('2001:db8:1:2::9')) // '2001:db8:1::/48'
 */
export function networkKey(key: string): string | null {
  return key.endsWith('::/64') ? `${key.slice(0, key.lastIndexOf(':', key.length - 6))}::/48` : null
}

/** Whether a key is a network's, as `networkKey` makes it. */
export const isNetwork = (key: string): boolean => key.endsWith('::/48')

/** An address as `callerKey` reads it; null for what is none. */
function parsedAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.length > addressCharsMax ? '' : bareOf(text)
  // Strict: some parsers read a leading zero as octal, so such an address is refused.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null
}

function keyOf(address: ipaddr.IPv4 | ipaddr.IPv6 | null): string {
  if (address === null) return unknown
  if ('octets' in address) return address.toString()
  const network = address.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

/** Without port, brackets and zone: `[fe80::1%eth0]:443` is `fe80::1`. */
function bareOf(text: string): string {
  const trimmed = text.trim()
  const inBrackets = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1]
  const address = inBrackets ?? trimmed.replace(/^([0-9.]+):\d{1,5}$/, '$1')
  return address.replace(/%.*$/, '')
}

/** No key is longer. */
const keyCharsMax = 128

/** The callers that the configuration gives keys. */
export class KeyedCallers {
  #byHash: ReadonlyMap<string, KeyedCaller> = new Map()
  #byBudget: ReadonlyMap<string, KeyedCaller> = new Map()
  /** There are keys, or there were: what comes as one is looked at. */
  hasBeenUsed = false

  constructor(configs: readonly CallerConfig[]) {
    this.reload(configs)
  }

  /** Takes over another list. A key that is not in it, or is another caller's now, has ended. */
  reload(configs: readonly CallerConfig[]): void {
    const old = this.#byHash
    const callers = configs.map((config) => {
      const known = old.get(config.keyHash)
      const caller = known?.name === config.name ? known : new KeyedCaller(config)
      caller.reload(config)
      return [config.keyHash, caller] as const
    })
    this.#byHash = new Map(callers)
    this.#byBudget = new Map(callers.map(([, caller]) => [caller.budgetKey, caller]))
    this.hasBeenUsed ||= configs.length > 0
    for (const [hash, caller] of old) if (this.#byHash.get(hash) !== caller) caller.ended.abort()
  }

  /**
   * Whose key this is; null for nobody's. Found by its hash: how long that takes says nothing of the key, which nobody can choose the
   * hash of.
   */
  find(key: string): KeyedCaller | null {
    return key.length > keyCharsMax ? null : (this.#byHash.get(hashOf(key)) ?? null)
  }

  /** By the name of its budget; null for callers without a key. */
  at(budgetKey: string | null): KeyedCaller | null {
    return this.#byBudget.size === 0 || budgetKey === null ? null : (this.#byBudget.get(budgetKey) ?? null)
  }

  all(): Iterable<KeyedCaller> {
    return this.#byBudget.values()
  }
}

/** Without `burst`, as many units at once as flow in within this time. */
const burstMs = 20_000

/** A caller that is known by its key, for as long as the configuration has that key. */
export class KeyedCaller {
  readonly name: string
  /** The name of its budget: no address has this form. */
  readonly budgetKey: string
  /** Fires once the configuration does not have its key any more. */
  readonly ended = new Abort()
  #config: CallerConfig
  #contracts: ReadonlySet<string> | null = null
  #ranges: readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] | null = null

  constructor(config: CallerConfig) {
    this.name = config.name
    this.budgetKey = `key:${config.name}`
    this.#config = config
    this.reload(config)
  }

  reload(config: CallerConfig): void {
    this.#config = config
    this.#contracts = config.contracts && new Set(config.contracts)
    this.#ranges = config.ips?.map(rangeOf) ?? null
  }

  /** How all of its calls are protected. */
  get protection(): Protection | null {
    return this.#config.protect
  }

  /** Units in a UTC month. */
  get perMonth(): number | null {
    return this.#config.perMonth
  }

  /** What it may spend per time; null: what any caller may. */
  pace(): Pace | null {
    const { perSecond, burst } = this.#config
    if (perSecond === null) return null
    return { tokensMax: burst ?? (perSecond * burstMs) / 1000, perMs: perSecond / 1000 }
  }

  /** Whether pages of this origin, or with null a program, may use the key. Null: the key does not say. */
  mayComeFrom(origin: string | null): boolean | null {
    const { origins } = this.#config
    return origins === null ? null : origin !== null && origins.includes(origin)
  }

  /** Whether it may be used from this address, as the host wrote it; null where it is not known. */
  mayCallFrom(caller: string | null): boolean {
    if (this.#ranges === null) return true
    const address = caller === null ? null : parsedAddress(caller)
    return (
      address !== null &&
      this.#ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
    )
  }

  /** Throws CallError where it may not make this call, whose params are canonical. */
  check(spec: Pick<MethodSpec, 'method' | 'executionsOf'>, params: readonly unknown[]): void {
    const { allow, deny } = this.#config.methods
    const isNamed = (patterns: readonly string[]) => patterns.some((pattern) => isMatch(spec.method, pattern))
    if (isNamed(deny) || (allow !== null && !isNamed(allow)))
      throw new CallError('no-method', { message: `the method ${spec.method} is not allowed for this key` })
    if (this.#contracts !== null && !reachesOnly(spec, params, this.#contracts))
      throw new CallError('not-allowed', { message: 'this contract is not allowed for this key' })
  }
}

function isMatch(method: string, pattern: string): boolean {
  return pattern.endsWith('*') ? method.startsWith(pattern.slice(0, -1)) : method === pattern
}

function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether a call runs, reads logs of, or sends to none but these contracts. */
export function reachesOnly(
  spec: Pick<MethodSpec, 'method' | 'executionsOf'>,
  params: readonly unknown[],
  contracts: ReadonlySet<string>,
): boolean {
  if (spec.method.startsWith('eth_sendRawTransaction'))
    return contracts.has(targetOf(String(params[0])) ?? '')
  const filter =
    spec.method === 'eth_subscribe' ? params[1] : logMethods.has(spec.method) ? params[0] : undefined
  if (filter !== undefined) {
    const { address = [] } = filter as { readonly address?: string | readonly string[] }
    const addresses = typeof address === 'string' ? [address] : address
    return addresses.length > 0 && addresses.every((each) => contracts.has(each.toLowerCase()))
  }
  return isAllowed(spec, params, contracts)
}

const logMethods: ReadonlySet<string> = new Set(['eth_getLogs', 'eth_newFilter'])

/** To whom a raw transaction goes; null for a new contract, and for what is none. */
function targetOf(raw: string): string | null {
  try {
    const first = Number(raw.slice(0, 4))
    const isLegacy = first >= 0xc0
    const fields = readRlp(isLegacy ? raw : `0x${raw.slice(4)}`)
    // After nonce, price and gas; with a chain id before them, and two prices, where the type has those.
    const to = typeof fields === 'string' ? undefined : fields[isLegacy ? 3 : first === 1 ? 4 : 5]
    return typeof to === 'string' && to.length === 42 ? to : null
  } catch {
    return null
  }
}
