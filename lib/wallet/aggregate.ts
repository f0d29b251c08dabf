import { multicall3Abi } from 'viem'
import type { ReadChain } from '#lib/page/reading.ts'
import { contractQuery } from '#lib/reads/contract-read.ts'
import type { TokenRead } from './effect.ts'
import { multicall3 } from './multicall3.ts'

/** The results of all these reads by one call of Multicall3, at one agreed block. One that reverts fails alone. */
export function aggregate(readChain: ReadChain, chainId: number, reads: readonly TokenRead[]) {
  const calls = reads.map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }))
  const call = { address: multicall3, abi: multicall3Abi, functionName: 'aggregate3', args: [calls] } as const
  return contractQuery(chainId, call, readChain).queryFn()
}
