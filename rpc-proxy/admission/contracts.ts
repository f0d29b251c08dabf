import type { Overrides } from '../methods/executions.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { multicall3 } from '../methods/multicall.ts'
import { type SubCall, subCalls } from './aggregate.ts'

/** Sub-calls of one call that are looked at, nested ones included: lists inside lists could otherwise multiply. */
const subCallsMax = 4096
const depthMax = 3

/**
 * Whether a call runs only contracts of this list. Multicall3 may be called when all that it is to call may be; creation
 * code may not, nor an account whose code or storage the caller made up, since both run whatever the caller likes.
 */
export function isAllowed(
  spec: Pick<MethodSpec, 'executionsOf'>,
  params: readonly unknown[],
  contracts: ReadonlySet<string>,
): boolean {
  const executions = spec.executionsOf?.(params)
  if (executions === undefined) return true
  if (executions.overrides.some(changesCode)) return false

  let left = subCallsMax
  const isAllowedTarget = ({ target, data }: SubCall, depth: number): boolean => {
    if (target !== multicall3) return contracts.has(target)
    const inner = depth < depthMax ? subCalls(data, left) : null
    left -= inner?.length ?? 0
    return inner?.every((call) => isAllowedTarget(call, depth + 1)) ?? false
  }
  return executions.calls.every(
    ({ to, data = '0x' }) => to !== undefined && isAllowedTarget({ target: to, data }, 0),
  )
}

const codeFields = ['code', 'state', 'stateDiff', 'movePrecompileToAddress'] as const

function changesCode(overrides: Overrides): boolean {
  return Object.values(overrides).some((account) => codeFields.some((field) => Object.hasOwn(account, field)))
}
