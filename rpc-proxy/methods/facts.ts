import type { Rule } from './rule.ts'
import { methods, ruleOf } from './table.ts'

/** What a caller may know of a method before it asks. */
export interface MethodFacts {
  readonly method: string
  readonly agreement: Rule['agreement']
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
    const { agreement, cost } = ruleOf(method)
    return { method, agreement, cost }
  })
}
