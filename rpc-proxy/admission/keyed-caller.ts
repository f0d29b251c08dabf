import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import ipaddr from 'ipaddr.js'
import type { CallerConfig } from '../config/config-types.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { Abort, type Signal } from '../runtime/abort.ts'
import { CallError } from '../runtime/errors.ts'
import { readRlp } from '../wire/read-rlp.ts'
import { parsedAddress } from './caller.ts'
import { isAllowed } from './contracts.ts'
import type { Protection } from './protection.ts'

/** Without `burst`, as many units at once as flow in within this time. */
const burstMs = 20_000

/** A caller that is known by its key, for as long as the configuration has that key. */
export class KeyedCaller {
  readonly name: string
  /** The name of its budget: no address has this form. */
  readonly budgetKey: string
  readonly #ended = new Abort()
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

  end(): void {
    this.#ended.abort()
  }

  /** Fires once the configuration does not have its key any more. */
  get ended(): Signal {
    return this.#ended
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
  pace(): { readonly tokensMax: number; readonly perMs: number } | null {
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
function reachesOnly(
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
    const bytes = hexToBytes(raw.slice(2))
    const type = (bytes[0] ?? 0) >= 0xc0 ? 0 : (bytes[0] ?? 0)
    const list = readRlp(bytes, type === 0 ? 0 : 1)
    // After nonce, price and gas; with a chain id before them, and two prices, where the type has those.
    const to = list.kind === 'list' ? list.items[[3, 4][type] ?? 5] : undefined
    return to?.kind === 'bytes' && to.bytes.length === 20 ? `0x${bytesToHex(to.bytes)}` : null
  } catch {
    return null
  }
}
