import type { Shape } from '../../../rpc-proxy/wire/canonical.ts'
import corpus from '../../corpus/forms.json' with { type: 'json' }
import { block, chain, delivered, type Json } from '../../support/canonical-chain.ts'

/** A result in the forms of honest clients, what a caller gets, and lies that must not agree with it. */
export interface FormRow {
  readonly name: string
  readonly shape: Shape
  readonly chainId: number
  readonly forms: readonly unknown[]
  readonly expected?: object
  readonly absent: readonly string[]
  readonly lies: readonly unknown[]
}

/** How a form differs from its base, in each element where that is a list. */
interface Change {
  readonly value?: unknown
  readonly each?: Change
  readonly without?: readonly string[]
  readonly with?: Json
}

const bases: Readonly<Record<string, unknown>> = {
  block,
  fullBlock: chain.fullBlock,
  receipt: chain.receipts[1],
  legacy: chain.transactions[1],
  mined: chain.transactions[3],
  delivered,
  feeHistory: chain.feeHistoryPlain,
  proof: chain.proof,
  logs: chain.logs,
  simulation: chain.simulate,
}

function changed(base: unknown, change: Change): unknown {
  if ('value' in change) return change.value
  const { each, without = [], with: fields = {} } = change
  if (each !== undefined) return (base as readonly unknown[]).map((element) => changed(element, each))
  const kept = Object.entries(base as Json).filter(([name]) => !without.includes(name))
  return { ...Object.fromEntries(kept), ...fields }
}

export const formRows = (
  corpus as readonly (Omit<FormRow, 'forms'> & { forms: Change[]; base: string })[]
).map(
  ({ base, forms, lies, absent = [], chainId = 1, ...row }): FormRow => ({
    ...row,
    absent,
    chainId,
    forms: forms.map((change) => changed(bases[base], change)),
    lies: lies.map((change) => changed(bases[base], change as Change)),
  }),
)
