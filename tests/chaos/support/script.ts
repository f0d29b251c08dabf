import type { Call } from '../../../demo/nodes/exchange.ts'
import type { Canned } from '../../../demo/nodes/scripted.ts'
import { blockAt, emptyBloom, type Fork, hex } from '../../support/scripted-chain.ts'

/** What a node says to a call. */
export type Reply = (call: Call) => Canned

/** A node of a case, as a test writes it; its place on the chain may change while the case goes on. */
export interface Written {
  readonly name?: string
  readonly operator?: string
  readonly weight?: number
  readonly stallMs?: number
  /** To every method that neither `on` nor the chain answers. */
  readonly reply?: Reply
  readonly on?: Readonly<Record<string, Reply>>
  readonly bloom?: string
  head?: number
  /** How late it tells its head. */
  readonly lookMs?: number
  readonly fork?: Fork
}

export const says =
  (result: unknown): Reply =>
  () => ({ result })

/** A result that depends on what was asked. */
export const tells =
  (resultOf: (call: Call) => unknown): Reply =>
  (call) => ({ result: resultOf(call) })

export const fails =
  (code: number, message: string, data?: unknown): Reply =>
  () => ({ error: { code, message, ...(data === undefined ? {} : { data }) } })

export const reverts = (data: string): Reply => fails(3, 'execution reverted', data)
export const limited = fails(-32005, 'limit exceeded')
export const unauthorized = fails(-32000, 'Unauthorized: API key is missing')
export const isBehind = fails(-32000, 'header not found')
export const hangs: Reply = () => ({ hang: true })

/** The same, later. */
export const late =
  (delayMs: number, reply: Reply): Reply =>
  (call) => ({ ...reply(call), delayMs })

/** Whatever a node says of its place on the chain; null where that is not what it is asked. */
export function placed(
  { head = 1000, fork, bloom = emptyBloom, lookMs = 0 }: Written,
  call: Call,
): Canned | null {
  if (call.method !== 'eth_getBlockByNumber') return null
  const number = { latest: head, safe: head - 32, finalized: head - 64 }[String(call.params[0])]
  const wanted = number ?? Number(call.params[0])
  return { result: wanted > head ? null : blockAt(wanted, fork ?? null, bloom), delayMs: lookMs }
}

/** The chain id, which every node but a stranger tells alike. */
export const chainIdOf = (chainId: number): Canned => ({ result: hex(chainId) })
