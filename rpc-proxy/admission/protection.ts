import type { MethodSpec } from '../methods/method-spec.ts'
import { multicall3 } from '../methods/multicall.ts'
import { subCalls } from './contracts.ts'

/** By name: `standard` is a protected round; with `bridge` all operators must agree on logs and receipts. */
export type Protection = 'standard' | 'bridge'

interface Protect {
  readonly policy: Protection
  /** Every call of the chain. */
  readonly all: boolean
  readonly methods: readonly string[]
  /** Addresses in lower case. */
  readonly contracts: readonly string[]
}

/** Sub-calls of one Multicall3 call that are looked at. One with more of them counts as protected. */
const subCallsMax = 4096

/**
 * How a call is protected, and null where it is not: all are, its method is named, or one of the contracts is called, also from within Multicall3,
 * or read: its balance, code, storage or logs.
 */
export function protection({ policy, all, methods, contracts }: Protect) {
  const methodSet = new Set(methods)
  const contractSet = new Set(contracts)
  const isNamed = (value: unknown) => typeof value === 'string' && contractSet.has(value.toLowerCase())

  function isCalled(spec: Pick<MethodSpec, 'executionsOf'>, params: readonly unknown[]): boolean {
    const calls = spec.executionsOf?.(params)?.calls ?? []
    return calls.some(({ to, data = '0x' }) => {
      if (isNamed(to)) return true
      if (to !== multicall3) return false
      const inner = subCalls(data, subCallsMax)
      return inner === null || inner.some(({ target }) => isNamed(target))
    })
  }

  return (
    spec: Pick<MethodSpec, 'method' | 'executionsOf'>,
    params: readonly unknown[],
  ): Protection | null => (isProtected(spec, params) ? policy : null)

  function isProtected(
    spec: Pick<MethodSpec, 'method' | 'executionsOf'>,
    params: readonly unknown[],
  ): boolean {
    if (all || methodSet.has(spec.method)) return true
    if (contractSet.size === 0) return false
    return (
      params.some((param) => isNamed(param) || addressesOf(param).some(isNamed)) || isCalled(spec, params)
    )
  }
}

/** The addresses of a log filter. */
function addressesOf(param: unknown): readonly unknown[] {
  if (typeof param !== 'object' || param === null || !('address' in param)) return []
  return Array.isArray(param.address) ? param.address : [param.address]
}
