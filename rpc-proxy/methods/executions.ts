/** What of a call object is read here; params are canonical, so addresses and data are lower-case hex. */
interface Execution {
  readonly to?: string
  readonly data?: string
}

/** Fields of accounts that a call replaces, by address. */
export type Overrides = Readonly<Record<string, object>>

/** What a call has nodes run. */
export interface Executions {
  readonly calls: readonly Execution[]
  readonly overrides: readonly Overrides[]
}

export function executionsOfCall(params: readonly unknown[]): Executions {
  const [call, , overrides] = params as readonly [Execution, unknown?, Overrides?]
  return { calls: [call], overrides: overrides === undefined ? [] : [overrides] }
}

export function executionsOfSimulation(params: readonly unknown[]): Executions {
  const [payload] = params as readonly [
    { readonly blockStateCalls: readonly { calls?: readonly Execution[]; stateOverrides?: Overrides }[] },
  ]
  return {
    calls: payload.blockStateCalls.flatMap(({ calls = [] }) => calls),
    overrides: payload.blockStateCalls.map(({ stateOverrides = {} }) => stateOverrides),
  }
}
