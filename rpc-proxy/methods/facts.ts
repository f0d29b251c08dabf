import type { MethodSpec } from './method-spec.ts'
import { methodSpec, methods } from './table.ts'

/** What a caller may know of a method before it asks. */
export interface MethodFacts {
  readonly method: string
  readonly strategy: MethodSpec['strategy']
  /** What a call takes of its caller's budget, at least. */
  readonly cost: number
}

/**
 * Every method that is answered.
 *
 * @example
 * const expensive = methodFacts().filter(({ cost }) => cost >= 10)
 */
export function methodFacts(): readonly MethodFacts[] {
  return methods.map((method) => {
    const { strategy, cost } = methodSpec(method)
    return { method, strategy, cost }
  })
}
