import type { Certificate, ChainHistory, NodeHistory, SeenBlock } from '#lib/engine/engine-reads.ts'
import { isDerived } from '../certificate/is-derived.ts'

/** The SLO behind the alerts: the share of calls that must be answered. */
const objective = 0.999
/** Below this number of calls a share is not meaningful. */
const callsMin = 100

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

/** A chain's error budget, in shares, of a day in steps of one hour; null when there were too few calls. */
export function budgetOf({ calls, failures }: Pick<ChainHistory, 'calls' | 'failures'>) {
  const failed = shareOf(sum(failures), sum(calls), callsMin)
  // Two steps, because the last one may have just begun: at least an hour.
  const burning = shareOf(sum(failures.slice(-2)), sum(calls.slice(-2)), callsMin)
  return {
    answered: failed === null ? null : 1 - failed,
    /** Of the whole period's budget: 1 is all of it. */
    spent: failed === null ? null : failed / (1 - objective),
    /** Of the last step: 1 spends the budget exactly in the period. */
    burn: burning === null ? null : burning / (1 - objective),
  }
}

/** `part / whole`; null when the whole is less than `min`. */
export function shareOf(part: number, whole: number, min = 1): number | null {
  return whole < min ? null : part / whole
}

/** Upper bounds of the latency steps, milliseconds. The last step is everything slower. */
export const latencyBoundsMs = [25, 50, 100, 250, 750] as const

/** 0 without replies, 1 for the fastest step, one more than the number of bounds for the slowest. */
export function latencyStep(replies: number, replyMs: number): number {
  if (replies === 0) return 0
  const mean = replyMs / replies
  const index = latencyBoundsMs.findIndex((bound) => mean < bound)
  return index === -1 ? latencyBoundsMs.length + 1 : index + 1
}

/** The steps to mark over a node's row: those with dissents and those with faults. */
export function marksOf({ dissents, faults, limited }: NodeHistory) {
  const at = (values: readonly number[]) => values.flatMap((value, index) => (value > 0 ? [index] : []))
  const failed = faults.map((value, index) => value + (limited[index] ?? 0))
  return { dissents: at(dissents), faults: at(failed) }
}

/** Sums neighbouring steps so that at most `most` remain. */
export function grouped(values: readonly number[], most: number): readonly number[] {
  const size = Math.max(1, Math.ceil(values.length / most))
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    sum(values.slice(index * size, (index + 1) * size)),
  )
}

/** The index of the group that has the result; null if none has it, as for a result derived from several groups. */
export function winnerOf({
  resultSha256,
  groups,
}: Pick<Certificate, 'resultSha256' | 'groups'>): number | null {
  const index = groups.findIndex(({ sha256 }) => sha256 === resultSha256)
  return index === -1 ? null : index
}

/** Nodes that disagreed with the result; without a result, all nodes that replied. */
export function outvoted({
  outcome,
  ruleId,
  groups,
  electorate,
}: Pick<Certificate, 'outcome' | 'ruleId' | 'groups' | 'electorate'>): readonly string[] {
  if (outcome !== 'failed' && isDerived({ rule: ruleId })) return []
  const supporters = electorate.flatMap(({ name, supports }) => (supports ? [name] : []))
  return groups.flatMap(({ operators, nodes }) =>
    outcome !== 'failed' && operators.some((name) => supporters.includes(name)) ? [] : nodes,
  )
}

/** The share of nodes that have seen a block, from 0 to 1. */
export function reachOf({ seen }: SeenBlock, nodes: readonly string[]): number {
  return nodes.length === 0 ? 0 : nodes.filter((node) => Object.hasOwn(seen, node)).length / nodes.length
}

/** How often each node saw a block first, in descending order. Blocks that only one node has seen don't count. */
export function firstsOf(blocks: readonly SeenBlock[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { seen } of blocks) {
    const [first, second] = Object.entries(seen).sort(([, a], [, b]) => a - b)
    if (first !== undefined && second !== undefined) counts.set(first[0], (counts.get(first[0]) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}
