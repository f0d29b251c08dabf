import type { Chain } from '../chain/chain.ts'
import type { PinnedBlock } from '../events/evidence-types.ts'
import { rangeOf } from '../methods/block-ref.ts'
import type { LogFilter } from '../methods/log-filter.ts'
import { bloomMayContain } from '../methods/log-filter.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import type { ReplyGroup } from '../quorum/reply-tally.ts'
import type { Shape } from '../wire/shapes.ts'

/** What would speak against an answer that has a quorum. */
export function suspicionOf(
  chain: Chain,
  spec: MethodSpec,
  params: readonly unknown[],
): (value: unknown) => boolean {
  if (spec.shape === 'logs') return (value) => isIncomplete(chain, spec, params, value)
  const { hashAt } = chain.heads
  return spec.nullable && onChain.has(spec.shape) ? (value) => namesAnother(hashAt, spec, value) : () => false
}

/** The answer names a block of another branch than the agreed one, or than the block to which the call is pinned. */
export function isOffChain(
  { heads }: Chain,
  spec: MethodSpec,
  { variants }: ReplyGroup,
  pinned: PinnedBlock | null = null,
): boolean {
  if (!onChain.has(spec.shape)) return false
  const value = variants[0]?.value
  const agreedAt = (number: number) =>
    (number === pinned?.number ? pinned.hash : null) ?? heads.hashAt(number)
  const isOff = (each: unknown) => namesAnother(agreedAt, spec, each)
  return Array.isArray(value) ? value.some(isOff) : isOff(value)
}

/** Answers that name blocks of the chain. Those of `eth_simulateV1` are made up, and uncles were left out. */
const onChain: ReadonlySet<Shape> = new Set(['block', 'transaction', 'receipt', 'receipts', 'logs'])

/** The agreed hash of a number. */
type AgreedAt = (number: number) => string | null

/** It names a block whose agreed hash is another. Whatever else a node writes beside the fields of the shape was not read. */
function namesAnother(agreedAt: AgreedAt, { shape }: MethodSpec, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { blockHash, hash, blockNumber, number } = value as Record<string, string | null | undefined>
  const [at, of] = shape === 'block' ? [number, hash] : [blockNumber, blockHash]
  const agreed = at == null ? null : agreedAt(Number(at))
  return agreed !== null && agreed !== of?.toLowerCase()
}

/**
 * The agreed header of some block says that it may hold such logs, and the answer has none of it. Only blocks whose headers
 * we agreed on can tell.
 */
function isIncomplete(
  { heads }: Chain,
  spec: MethodSpec,
  params: readonly unknown[],
  value: unknown,
): boolean {
  if (!Array.isArray(value)) return false
  const filter = params[0] as LogFilter
  const mayHold = (bloom: string | null | undefined) =>
    bloom != null && !empty.test(bloom) && bloomMayContain(bloom, filter)
  const range = rangeOf(spec, params, Number.POSITIVE_INFINITY)
  if (range === null) return value.length === 0 && mayHold(heads.blockOf(filter.blockHash ?? '')?.logsBloom)
  const seen = new Set(value.map((log) => Number((log as { blockNumber: string }).blockNumber)))
  for (let number = Math.max(range.from, range.to - headersMax); number <= range.to; number++) {
    if (!seen.has(number) && mayHold(heads.blockAt(number)?.logsBloom)) return true
  }
  return false
}

const headersMax = 256

/** The bloom of a block without logs: it may hold nothing, whatever the filter leaves open. */
const empty = /^0x0*$/
