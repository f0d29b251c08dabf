import { post } from '#lib/engine/engine-reads.ts'
import { decodeReading, encodeReadCalls, repliesOf } from '../page/batch-readings.ts'
import { type ReadCall, type Reading, waiting } from '../page/reading.ts'

export interface ReadOptions {
  readonly withinMs: number
  /** The visitor, whose budget pays. */
  readonly caller: string | null
}

/** Asks a chain on the server, for the first paint. Everything is `waiting` when there is no answer `withinMs`. */
export async function read(
  chainId: number,
  calls: readonly ReadCall[],
  { withinMs, caller }: ReadOptions,
): Promise<readonly Reading[]> {
  const late = AbortSignal.timeout(withinMs)
  const text = await Promise.race([
    post(chainId, encodeReadCalls(calls), { caller, signal: late }),
    new Promise<null>((resolve) => late.addEventListener('abort', () => resolve(null), { once: true })),
  ])
  return text === null ? calls.map(() => waiting) : repliesOf(text, calls.length).map(decodeReading)
}
