import { headers } from 'next/headers'
import type { Abi, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { post } from '#lib/engine/engine-reads.ts'
import { pageCaller } from '#lib/engine/page-caller.ts'
import { decodeReading, encodeReadCalls, repliesOf } from '#lib/page/batch-readings.ts'
import { type ReadChain, waiting } from '#lib/page/reading.ts'
import { type ContractRead, contractQuery, type Mutability } from './contract-read.ts'
import { balanceQuery, type QuorumRead, type QuorumReadQuery } from './quorum-read.ts'

/** Longer than this a page does not wait for nodes, ms. */
const pageWithinMs = 5000

/** Asks the engine of this process; the visitor's budget pays. What takes longer than `withinMs` is `waiting`. */
export function readEngine(withinMs = pageWithinMs): ReadChain {
  return async (chainId, calls) => {
    const caller = pageCaller((await headers()).get('x-forwarded-for'))
    const late = AbortSignal.timeout(withinMs)
    const text = await Promise.race([
      post(chainId, encodeReadCalls(calls), { caller, signal: late }),
      new Promise<null>((resolve) => late.addEventListener('abort', () => resolve(null), { once: true })),
    ])
    return text === null ? calls.map(() => waiting) : repliesOf(text, calls.length).map(decodeReading)
  }
}

/**
 * Reads a contract in a server component: its value with the block and the operators behind it. Throws QuorumReadError.
 *
 * @example
 * const { value, evidence } = await readContract(137, { abi: erc20Abi, address, functionName: 'totalSupply' })
 */
export function readContract<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
  const args extends ContractFunctionArgs<abi, Mutability, functionName>,
>(
  chainId: number,
  call: ContractRead<abi, functionName, args>,
): Promise<QuorumRead<ContractFunctionReturnType<abi, Mutability, functionName, args>>> {
  return readContractQuery(chainId, call).queryFn()
}

/** Reads a native balance in a server component, in its smallest unit. Throws QuorumReadError. */
export function readBalance(
  chainId: number,
  account: { readonly address: `0x${string}` },
): Promise<QuorumRead<bigint>> {
  return readBalanceQuery(chainId, account).queryFn()
}

/**
 * The same as a query, to hand a value to `useQuorumRead` in the browser.
 *
 * @example
 * await queries.prefetchQuery(readContractQuery(137, call))
 * return <HydrationBoundary state={dehydrate(queries)}><Supply /></HydrationBoundary>
 */
export function readContractQuery<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
  const args extends ContractFunctionArgs<abi, Mutability, functionName>,
>(
  chainId: number,
  call: ContractRead<abi, functionName, args>,
): QuorumReadQuery<ContractFunctionReturnType<abi, Mutability, functionName, args>> {
  return contractQuery(chainId, call, readEngine())
}

export function readBalanceQuery(
  chainId: number,
  account: { readonly address: `0x${string}` },
): QuorumReadQuery<bigint> {
  return balanceQuery(chainId, account, readEngine())
}
