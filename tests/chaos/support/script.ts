import type { DemoCall } from '../../../demo/nodes/demo-call.ts'
import type { FaultProfileInput } from '../../../demo/nodes/fault-profile.ts'
import type { Canned } from '../../../demo/nodes/scripted.ts'
import { blockAt, emptyBloom, type Fork, hex } from '../../support/scripted-chain.ts'

/** The reply of a node to a call. */
export type Reply = (call: DemoCall) => Canned

/** A scripted node of a case. Its chain state may change during the case. */
export interface Written {
  readonly name?: string
  readonly operator?: string
  readonly weight?: number
  readonly role?: 'voter' | 'witness'
  readonly stallMs?: number
  /** What it is instead of a node with a script: silent, say. */
  readonly faultProfile?: FaultProfileInput
  /** Reply to every method without an entry in `on` or an answer of the chain. */
  readonly reply?: Reply
  readonly on?: Readonly<Record<string, Reply>>
  readonly bloom?: string
  head?: number
  /** Delay of its head. */
  readonly lookMs?: number
  readonly fork?: Fork
}

export const says =
  (result: unknown): Reply =>
  () => ({ result })

/** A result that depends on the call. */
export const tells =
  (resultOf: (call: DemoCall) => unknown): Reply =>
  (call) => ({ result: resultOf(call) })

export const fails =
  (code: number, message: string, data?: unknown): Reply =>
  () => ({ error: { code, message, ...(data === undefined ? {} : { data }) } })

export const reverts = (data: string): Reply => fails(3, 'execution reverted', data)
export const limited = fails(-32005, 'limit exceeded')
export const unauthorized = fails(-32000, 'Unauthorized: API key is missing')
export const isBehind = fails(-32000, 'header not found')
export const hangs: Reply = () => ({ hang: true })

/** Delays a reply. */
export const late =
  (delayMs: number, reply: Reply): Reply =>
  (call) => ({ ...reply(call), delayMs })

/** Replies about the chain state of the node; null for other calls. */
export function placed(
  { head = 1000, fork, bloom = emptyBloom, lookMs = 0 }: Written,
  call: DemoCall,
): Canned | null {
  if (call.method !== 'eth_getBlockByNumber') return null
  const number = { latest: head, safe: head - 32, finalized: head - 64 }[String(call.params[0])]
  const wanted = number ?? Number(call.params[0])
  return { result: wanted > head ? null : blockAt(wanted, fork ?? null, bloom), delayMs: lookMs }
}

/** The chain id. */
export const chainIdOf = (chainId: number): Canned => ({ result: hex(chainId) })
