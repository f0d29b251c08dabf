import type { MethodSpec } from './method-spec.ts'

/** A method without a row: no node is asked, nothing is cached. */
export const cautious: MethodSpec = {
  method: '_OTHER',
  strategy: 'refused',
  parse: (given) => given,
  pin: 'none',
  shape: 'json',
  cachePolicy: 'never',
  nullable: false,
  ofBlock: false,
  ejects: false,
  cost: 1,
  executes: false,
  proves: null,
}

/** Rows of one family say only what they do not share. */
export type MethodRow = Pick<MethodSpec, 'method' | 'parse'> & Partial<MethodSpec>

/** Completes the rows of a family. */
export function rows(shared: Partial<MethodSpec>): (row: MethodRow) => MethodSpec {
  return (row) => ({ ...cautious, ...shared, ...row })
}
