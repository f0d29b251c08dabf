import { multicall3, type SubCall, subCalls } from './aggregate.ts'

/** What of a call object this policy reads; params are canonical, so addresses and data are lower-case hex. */
interface Execution {
  readonly to?: string
  readonly data?: string
}

type Overrides = Readonly<Record<string, object>>

interface Executions {
  readonly calls: readonly Execution[]
  readonly overrides: readonly Overrides[]
}

/** Where each method that runs code names what it runs. */
const executionsOf: Readonly<Record<string, (params: readonly unknown[]) => Executions>> = {
  eth_call: ofCall,
  eth_estimateGas: ofCall,
  eth_createAccessList: ofCall,
  eth_simulateV1: ofSimulation,
}

/** Sub-calls of one call that are looked at, nested ones included: lists inside lists could otherwise multiply. */
const subCallsMax = 4096
const depthMax = 3

/**
 * Whether a call runs only contracts of this list. Multicall3 may be called when all that it is to call may be; creation
 * code may not, nor an account whose code or storage the caller made up, since both run whatever the caller likes.
 */
export function isAllowed(
  method: string,
  params: readonly unknown[],
  contracts: ReadonlySet<string>,
): boolean {
  const executions = Object.hasOwn(executionsOf, method) ? executionsOf[method]?.(params) : undefined
  if (executions === undefined) return true
  if (executions.overrides.some(changesCode)) return false

  let left = subCallsMax
  const reaches = ({ target, data }: SubCall, depth: number): boolean => {
    if (target !== multicall3) return contracts.has(target)
    const inner = depth < depthMax ? subCalls(data, left) : null
    left -= inner?.length ?? 0
    return inner?.every((call) => reaches(call, depth + 1)) ?? false
  }
  return executions.calls.every(({ to, data = '0x' }) => to !== undefined && reaches({ target: to, data }, 0))
}

function ofCall(params: readonly unknown[]): Executions {
  const [call, , overrides] = params as readonly [Execution, unknown?, Overrides?]
  return { calls: [call], overrides: overrides === undefined ? [] : [overrides] }
}

function ofSimulation(params: readonly unknown[]): Executions {
  const [payload] = params as readonly [
    { readonly blockStateCalls: readonly { calls?: readonly Execution[]; stateOverrides?: Overrides }[] },
  ]
  return {
    calls: payload.blockStateCalls.flatMap(({ calls = [] }) => calls),
    overrides: payload.blockStateCalls.map(({ stateOverrides = {} }) => stateOverrides),
  }
}

const codeFields = ['code', 'state', 'stateDiff', 'movePrecompileToAddress'] as const

function changesCode(overrides: Overrides): boolean {
  return Object.values(overrides).some((account) => codeFields.some((field) => Object.hasOwn(account, field)))
}
