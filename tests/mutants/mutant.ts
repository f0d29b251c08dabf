import type { RuleId } from '../../rpc-proxy/events/evidence-types.ts'
import type { Place } from './edit.ts'

/** A promise of docs/decisions.md. */
export type PromiseId = `S${number}`

/** One promise or rule of the engine, broken on purpose by one edit of its syntax tree. */
export interface Mutant extends Place {
  /** What the engine then does wrong. */
  readonly name: string
  /** Below rpc-proxy/. */
  readonly file: string
  /** The promises, and the rows of verdict tables, that it breaks. */
  readonly breaks: readonly (PromiseId | RuleId)[]
  /** The suite that should notice, the fastest that does: `sim`, `model`, or a test file below tests/. */
  readonly by: string
  /** One of the eight breaks that the simulation must catch. */
  readonly isVisible?: true
}
