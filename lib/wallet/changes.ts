import { checksumAddress, type Hex } from 'viem'
import { toUnits } from '#lib/page/quantity.ts'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
import { isRecord } from '../parse-json.ts'
import { readLabel } from '../token/erc20.ts'
import { readLogs } from './compare.ts'
import { type EventLog, eventTopics, readOf, type TokenRead, unitsOf, wordOf } from './effect.ts'
import type { WalletCall } from './meaning.ts'
import { multicall3 } from './multicall3.ts'
import type { TokenLabel } from './reviewed.ts'

/**
 * A figure of the sender that a call may change. `item` and `collection` are approvals of ERC-721 and ERC-1155: of one item, and of
 * all that the sender has or receives.
 */
export type WatchedFigure =
  | { readonly kind: 'coin' }
  | { readonly kind: 'balance'; readonly token: Hex }
  | { readonly kind: 'allowance' | 'collection'; readonly token: Hex; readonly spender: Hex }
  | { readonly kind: 'item'; readonly token: Hex; readonly spender: Hex; readonly id: bigint }

/** The figure before and after the simulated call. Of an approval of items it is 1 where the spender may take them, else 0. */
export type Change = WatchedFigure & {
  /** Null for the coin, and for a token that does not say how its amounts are written. */
  readonly label: TokenLabel | null
  readonly before: bigint
  readonly after: bigint
}

/** Of a call that names more figures, the first are shown. */
export const watchedMax = 16

const coin: WatchedFigure = { kind: 'coin' }

/** Selectors of `decimals()` and `symbol()`. */
const labelSelectors = ['0x313ce567', '0x95d89b41'] as const

/** Runs an account's calls between two reads of its figures. The labels of the tokens are read first. */
export function changesQuestion(
  [first, ...others]: readonly [WalletCall, ...WalletCall[]],
  watched: readonly WatchedFigure[] = [],
): ReadCall {
  const reads = [coin, ...watched].map((figure) => readOfFigure(figure, first.from))
  const run = [first, ...others].map(({ from, to, value, data }) => ({
    from,
    to,
    value: `0x${value.toString(16)}`,
    data,
  }))
  const calls = [...watched.flatMap(labelReads), ...reads, ...run, ...reads]
  return { method: 'eth_simulateV1', params: [{ blockStateCalls: [{ calls }] }, 'latest'] }
}

/** The figures that the events of a first simulation name, to be read in a second one. */
export function watchedOf(reading: Reading | undefined, from: Hex): readonly WatchedFigure[] {
  const logs = callsOf(reading).flatMap(readLogs)
  const figures = new Map(logs.flatMap((log) => watchedByLog(log, from)).map((one) => [keyOf(one), one]))
  return [...figures.values()].slice(0, watchedMax)
}

/** What the simulation of `changesQuestion` showed; null without an agreed one. Figures that stay are left out. */
export function readChanges(
  reading: Reading | undefined,
  watched: readonly WatchedFigure[] = [],
): readonly Change[] | null {
  const calls = callsOf(reading)
  const figures = [coin, ...watched]
  const first = watched.length * labelSelectors.length
  const runs = readRuns(reading, watched)
  if (runs.length === 0 || runs.some(({ status }) => status !== '0x1')) return null
  return figures.flatMap((figure, index) => {
    const before = figureOf(figure, calls[first + index])
    const after = figureOf(figure, calls[calls.length - figures.length + index])
    if (before === null || after === null || before === after) return []
    const at = (index - 1) * labelSelectors.length
    const label = figure.kind === 'coin' ? null : readLabel(answerOf(calls[at]), answerOf(calls[at + 1]))
    return [{ ...figure, before, after, label }]
  })
}

/** How each call of `changesQuestion` went; none without an agreed answer. */
export function readRuns(
  reading: Reading | undefined,
  watched: readonly WatchedFigure[] = [],
): readonly Simulated[] {
  const figures = 1 + watched.length
  return callsOf(reading).slice(watched.length * labelSelectors.length + figures, -figures)
}

/** Whether someone may take more than before. */
export function isApproval({ kind, before, after }: Change): boolean {
  return kind !== 'coin' && kind !== 'balance' && after > before
}

type Simulated = Readonly<Record<string, unknown>>

function callsOf(reading: Reading | undefined): readonly Simulated[] {
  const blocks = reading?.state === 'agreed' && Array.isArray(reading.value) ? reading.value : []
  const [block] = blocks as readonly unknown[]
  return isRecord(block) && Array.isArray(block.calls) ? block.calls.filter(isRecord) : []
}

/** What a call of a simulation, else the one in the middle, reverted with; undefined where it says nothing. */
export function revertOf(reading: Reading | undefined, index?: number): Hex | undefined {
  const calls = callsOf(reading)
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

function figureOf(figure: WatchedFigure, call: Simulated | undefined): bigint | null {
  const units = unitsOf(answerOf(call))
  if (units === null || figure.kind !== 'item') return units
  return units === BigInt(figure.spender) ? 1n : 0n
}

function labelReads(figure: WatchedFigure): readonly TokenRead[] {
  return figure.kind === 'coin' ? [] : labelSelectors.map((data) => ({ to: figure.token, data }))
}

function readOfFigure(figure: WatchedFigure, from: Hex): TokenRead {
  switch (figure.kind) {
    case 'coin':
      // Its `getEthBalance(address)` reads the coin inside of a simulation.
      return { to: multicall3, data: `0x4d2301cc${wordOf(from)}` }
    case 'balance':
      return readOf.balance(figure.token, from)
    case 'allowance':
      return readOf.allowance(figure.token, from, figure.spender)
    case 'collection':
      return { to: figure.token, data: `0xe985e9c5${wordOf(from)}${wordOf(figure.spender)}` }
    case 'item':
      return { to: figure.token, data: `0x081812fc${figure.id.toString(16).padStart(64, '0')}` }
  }
}

/** Of ApprovalForAll. */
const approvalForAll = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'

/** ERC-20 and ERC-721 have the same events; an item is a fourth topic. */
function watchedByLog({ address, topics }: EventLog, from: Hex): readonly WatchedFigure[] {
  const [topic, one, other, id] = topics
  if (!/^0x[0-9a-f]{40}$/i.test(address)) return []
  const token = checksumAddress(address as Hex)
  const isFrom = (word: string | undefined) => word?.toLowerCase() === `0x${wordOf(from)}`
  if (topic === eventTopics.transfer) return isFrom(one) || isFrom(other) ? [{ kind: 'balance', token }] : []
  const digits = /^0x0{24}([0-9a-f]{40})$/i.exec(other ?? '')?.[1]
  if (!isFrom(one) || digits === undefined) return []
  const spender = checksumAddress(`0x${digits}`)
  if (topic === approvalForAll) return [{ kind: 'collection', token, spender }]
  if (topic !== eventTopics.approve) return []
  const item = toUnits(id)
  return [item === null ? { kind: 'allowance', token, spender } : { kind: 'item', token, spender, id: item }]
}

function keyOf(figure: WatchedFigure): string {
  return Object.values(figure).join(' ').toLowerCase()
}
