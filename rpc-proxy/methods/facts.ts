import type { Shape } from '../wire/canonical.ts'
import { canonical } from '../wire/canonical.ts'
import { parseJson } from '../wire/scan.ts'
import type { MethodSpec } from './method-spec.ts'
import { methodSpec, methods } from './table.ts'

/** What a caller may know of a method before it asks. */
export interface MethodFacts {
  readonly method: string
  readonly strategy: Exclude<MethodSpec['strategy'], 'subscription'>
  /** What a call takes of its caller's budget, at least. */
  readonly cost: number
}

/**
 * Every method that a request is answered; subscriptions need a connection.
 *
 * @example
 * const expensive = methodFacts().filter(({ cost }) => cost >= 10)
 */
export function methodFacts(): readonly MethodFacts[] {
  return methods.flatMap((method) => {
    const { strategy, cost } = methodSpec(method)
    return strategy === 'subscription' ? [] : [{ method, strategy, cost }]
  })
}

/**
 * By which shape the results of a method are compared; null of a head, whose certificates have the hash of its block.
 *
 * @example
 * const shape = resultShape(certificate.method)
 */
export function resultShape(method: string): Shape | null {
  const { strategy, shape } = methodSpec(method)
  return strategy === 'head' ? null : shape
}

/** The text that certificates have a digest of: the same for all results that mean the same. What is no result of the method is hashed as it is. */
export function hashedText({ method, chainId }: { method: string; chainId: number }, text: string): string {
  const shape = resultShape(method)
  return (shape && canonical(shape, parseJson(text), chainId)) ?? text
}
