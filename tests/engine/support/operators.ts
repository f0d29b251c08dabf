import { type OperatorSet, setOf } from '../../../rpc-proxy/quorum/electorate.ts'
import type { OperatorIndex } from '../../../rpc-proxy/runtime/indexes.ts'

/** The set whose operators are the bits of a number. */
export const bits = (number: number): OperatorSet => number as OperatorSet

/** The set of one operator, by its position in the electorate. */
export const operator = (index: number): OperatorSet => setOf(index as OperatorIndex)
