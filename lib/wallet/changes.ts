import type { Hex } from 'viem'
import { toHex } from '#lib/page/quantity.ts'
import type { ReadCall, ReadCalls, Reading } from '#lib/page/reading.ts'
import { isRecord } from '../parse-json.ts'
import { readLabel } from '../token/erc20.ts'
import { readLogs } from './compare.ts'
import { type Simulated, simulatedCalls } from './effect.ts'
import type { WalletCall } from './meaning.ts'
import { isContract } from './plan-readings.ts'
import type { TokenLabel } from './reviewed.ts'
import {
  figureIn,
  figuresOfLog,
  keyOfFigure,
  labelReads,
  labelSelectors,
  readOfFigure,
  type WatchedFigure,
} from './watched.ts'

/** The figure before and after the simulated call. */
export type Change = WatchedFigure & {
  /** Null for the coin, and for a token that does not say how its amounts are written. */
  readonly label: TokenLabel | null
  readonly before: bigint
  readonly after: bigint
  /** Whether the spender is an ordinary account. */
  readonly isToAccount?: boolean
}

/** The most figures in one simulation. Together with 25 calls they are within the gateway's limit. */
export const watchedMax = 25

const coin: WatchedFigure = { kind: 'coin' }

/** Runs an account's calls between two reads of its figures. The labels of the tokens are read first. */
export function changesQuestion(
  [first, ...others]: readonly [WalletCall, ...WalletCall[]],
  watched: readonly WatchedFigure[] = [],
): ReadCall {
  const reads = [coin, ...watched].map((figure) => readOfFigure(figure, first.from))
  const run = [first, ...others].map(({ from, to, value, data }) => ({
    from,
    to,
    value: toHex(value),
    data,
  }))
  const calls = [...watched.flatMap(labelReads), ...reads, ...run, ...reads]
  return { method: 'eth_simulateV1', params: [{ blockStateCalls: [{ calls }] }, 'latest'] }
}

/** The figures that the events of a first simulation name, to be read in a second one. */
export function watchedOf(reading: Reading | undefined, from: Hex): readonly WatchedFigure[] {
  const logs = simulatedCalls(reading).flatMap(readLogs)
  const figures = new Map(
    logs.flatMap((log) => figuresOfLog(log, from)).map((one) => [keyOfFigure(one), one]),
  )
  return [...figures.values()]
}

/**
 * Measures the figures from the events of a first simulation in a second one: an event alone proves nothing. Null if there are too
 * many figures.
 */
export async function simulateChanges(
  calls: readonly [WalletCall, ...WalletCall[]],
  simulated: Reading | undefined,
  readCalls: ReadCalls,
): Promise<readonly Change[] | null> {
  const watched = watchedOf(simulated, calls[0].from)
  if (watched.length === 0) return readChanges(simulated)
  if (watched.length > watchedMax) return null
  const spenders = watched.flatMap((figure) => ('spender' in figure ? [figure.spender] : []))
  const codes = spenders.map((spender) => ({ method: 'eth_getCode', params: [spender, 'latest'] }))
  const [again, ...found] = await readCalls([changesQuestion(calls, watched), ...codes])
  const accounts = spenders.filter((_, at) => found[at]?.state === 'agreed' && !isContract(found[at]))
  const changes = readChanges(again, watched)
  return (
    changes?.map((change) =>
      'spender' in change ? { ...change, isToAccount: accounts.includes(change.spender) } : change,
    ) ?? null
  )
}

/**
 * The changes in the simulation of `changesQuestion`; null if there is no agreed simulation, or if a figure cannot be read after the
 * calls. Unchanged figures are omitted.
 */
export function readChanges(
  reading: Reading | undefined,
  watched: readonly WatchedFigure[] = [],
): readonly Change[] | null {
  const calls = simulatedCalls(reading)
  const figures = [coin, ...watched]
  const first = watched.length * labelSelectors.length
  const runs = readRuns(reading, watched)
  if (runs.length === 0 || runs.some(({ status }) => status !== '0x1')) return null
  const measured = figures.map((figure, index) => {
    const before = figureIn(figure, answerOf(calls[first + index]))
    const after = figureIn(figure, answerOf(calls[calls.length - figures.length + index]))
    const at = (index - 1) * labelSelectors.length
    const label = figure.kind === 'coin' ? null : readLabel(answerOf(calls[at]), answerOf(calls[at + 1]))
    return { ...figure, before, after, label }
  })
  // If the call uses all gas of the block, the reads after it fail.
  if (measured.some(({ before, after }) => before !== null && after === null)) return null
  return measured.filter((one): one is Change => one.before !== null && one.before !== one.after)
}

/** How each call of `changesQuestion` went; none without an agreed answer. */
export function readRuns(
  reading: Reading | undefined,
  watched: readonly WatchedFigure[] = [],
): readonly Simulated[] {
  const figures = 1 + watched.length
  return simulatedCalls(reading).slice(watched.length * labelSelectors.length + figures, -figures)
}

/** Whether someone may take more than before. */
export function isApproval(change: Change): boolean {
  return 'spender' in change && change.after > change.before
}

/** What a call of a simulation, else the one in the middle, reverted with; undefined where it says nothing. */
export function revertOf(reading: Reading | undefined, index?: number): Hex | undefined {
  const calls = simulatedCalls(reading)
  const run = calls[index ?? (calls.length - 1) / 2]
  const failed = run?.status === '0x0' ? run : undefined
  const data = [failed?.returnData, isRecord(failed?.error) ? failed.error.data : undefined].find(
    (each) => typeof each === 'string' && /^0x(?:[0-9a-f]{2}){4,}$/i.test(each),
  )
  return data as Hex | undefined
}

function answerOf(call: Simulated | undefined): unknown {
  return call?.status === '0x1' ? call.returnData : undefined
}
