import type { FaultProfileInput } from '../../../../demo/nodes/fault-profile.ts'
import type { Scripted } from '../../../../demo/nodes/node.ts'
import { liar, type MethodKind, questions } from './questions.ts'

/** Node text that must not reach callers: markup, a log line, terminal colours. */
export const plantedWords = 'words-planted-by-a-node'
const hostileText = `${plantedWords} <script>alert(1)</script>\r\nlevel=50 forged=1 \u001b[31m`

/** Longer than a stall, and short enough for three of them, one after another, before the deadline. */
const slowMs = 400
/** Above `answerBytesMax` of the configuration. */
const bytes = 1_000_000

/** Every fault of a node, by its visible effect. */
const noises = {
  hang: { kind: 'hanging' },
  refused: { kind: 'down' },
  'reset before the answer': { kind: 'resetting', at: 'request' },
  'reset in the body': { kind: 'resetting', at: 'body' },
  'HTTP 403': { kind: 'erring', status: 403, message: hostileText },
  'HTTP 503': { kind: 'erring', status: 503, message: hostileText },
  'HTTP 500 with an error': { kind: 'erring', status: 500, code: -32000, message: hostileText },
  'an odd error': { kind: 'erring', status: 200, code: -32099, message: hostileText },
  'HTTP 429': { kind: 'rate-limiting', calls: 0, retryAfterS: 1 },
  'limited in JSON-RPC': { kind: 'rate-limiting', calls: 0, as: 'rpc' },
  html: { kind: 'garbage', form: 'html' },
  empty: { kind: 'garbage', form: 'empty' },
  'cut off': { kind: 'garbage', form: 'truncated' },
  'no UTF-8': { kind: 'garbage', form: 'invalid-utf8' },
  'no object': { kind: 'garbage', form: 'not-an-object' },
  deep: { kind: 'garbage', form: 'deep' },
  'a key twice': { kind: 'garbage', form: 'duplicate-keys' },
  'wrong id': { kind: 'garbage', form: 'wrong-id' },
  'no id': { kind: 'garbage', form: 'missing-id' },
  'wrong jsonrpc': { kind: 'garbage', form: 'wrong-jsonrpc' },
  'result and error': { kind: 'garbage', form: 'both' },
  'neither result nor error': { kind: 'garbage', form: 'neither' },
  'a short batch': { kind: 'garbage', form: 'short-batch' },
  redirect: { kind: 'garbage', form: 'redirect' },
  huge: { kind: 'garbage', form: 'huge', bytes },
  bomb: { kind: 'garbage', form: 'bomb', bytes },
  trickle: { kind: 'trickling', bytes: 1, everyMs: 100 },
} as const satisfies Readonly<Record<string, FaultProfileInput>>

export const faults = [
  ...(Object.keys(noises) as (keyof typeof noises)[]),
  'wrong chain',
  'slow',
  'lying',
] as const
export type Fault = (typeof faults)[number]

/** Whether its nodes answer truthfully in the end: late, or completely because no batch was cut. */
export function isTrueInTheEnd(fault: Fault, isBatched: boolean): boolean {
  return fault === 'slow' || (fault === 'a short batch' && !isBatched)
}

/** A node with this fault, in one method only or in all. */
export function faulty(
  fault: Fault,
  { kind, chainId, isWhole }: { kind: MethodKind; chainId: number; isWhole: boolean },
): FaultProfileInput | Scripted {
  if (fault === 'lying') return liar(kind, chainId, isWhole)
  if (fault === 'wrong chain') return { kind: 'wrong-chain', chainId: 5 }
  const faultProfile = fault === 'slow' ? ({ kind: 'slow', delayMs: slowMs } as const) : noises[fault]
  // Refused connections affect every method.
  return isWhole || fault === 'refused' ? faultProfile : { ...faultProfile, only: [questions[kind].method] }
}
