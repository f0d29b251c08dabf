import type { Chain } from '../chain/chain.ts'
import type { Pinned } from '../heads/pin.ts'
import { blockRefsOf, hexOf } from '../methods/block-ref.ts'
import { type CallObject, transactionGasOf } from '../methods/call-object.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { methodSpec } from '../methods/table.ts'
import { estimate, unconfirmedEstimate } from '../quorum/numbers.ts'
import type { Strategy } from '../quorum/verdict.ts'
import { CallError } from '../runtime/errors.ts'

/**
 * Arbitrum One, Nova and Sepolia. A transaction pays there for its data on the parent chain, within its gas; a call does
 * not (docs.arbitrum.io, "gas estimation"), so that it succeeds with less than a transaction needs.
 */
const callsAreCheaper: ReadonlySet<number> = new Set([42161, 42170, 421614])

export function estimateStrategy(chainId: number): Strategy {
  return callsAreCheaper.has(chainId) ? unconfirmedEstimate : estimate
}

/** eth_call as it is asked for an estimate: whether it succeeds, whatever it returns. */
export const confirmationSpec: MethodSpec = { ...methodSpec('eth_call'), strategy: 'succeeds', shape: 'data' }

/** Whether the call names its gas. */
export function namesGas([target]: readonly unknown[]): boolean {
  return typeof target === 'object' && target !== null && 'gas' in target
}

/** Params of eth_estimateGas -> the same call with exactly this gas. */
export function withGas(params: readonly unknown[], gas: bigint): readonly unknown[] {
  return params.with(0, { ...(params[0] as CallObject), gas: hexOf(gas) })
}

/** The most that an estimate may be: what the caller allows, where it does, and what a transaction in its block may have. */
export function gasMaxOf({ heads, config }: Chain, spec: MethodSpec, { params, block }: Pinned): bigint {
  const { gas } = params[0] as CallObject
  const [ref] = blockRefsOf(spec, params)
  const hash = ref !== undefined && 'hash' in ref ? ref.hash : block?.hash
  const most = transactionGasOf(config.id, heads.blockOf(hash ?? '')?.gasLimit ?? null)
  return BigInt(gas === undefined ? most : Math.min(most, Number(gas)))
}

/** Throws CallError `refused` in geth's words where an estimate is more than it may be. */
export function assertAllowed(raw: string, gasMax: bigint): void {
  if (BigInt(JSON.parse(raw) as string) > gasMax)
    throw new CallError('refused', { message: `gas required exceeds allowance (${gasMax})` })
}
