'use client'

import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Abi, ContractFunctionArgs, ContractFunctionName, ContractFunctionReturnType } from 'viem'
import { type ContractRead, contractQuery, type Mutability } from '#lib/reads/contract-read.ts'
import { balanceQuery, type QuorumRead } from '#lib/reads/quorum-read.ts'
import { useReadChain } from './use-read-chain.ts'

interface ReadOptions {
  readonly chainId: number
  /** Of TanStack Query: whether it reads, and how often. */
  readonly query?: { readonly enabled?: boolean; readonly refetchInterval?: number }
}

/**
 * wagmi's `useReadContract` with evidence: `data` is the value, its block, the operators behind it and the id of its certificate.
 * Begins with what a server component handed over by `readContractQuery`.
 *
 * @example
 * const { data } = useQuorumRead({ chainId: 137, abi: erc20Abi, address, functionName: 'totalSupply' })
 */
export function useQuorumRead<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
  const args extends ContractFunctionArgs<abi, Mutability, functionName>,
>({
  chainId,
  query,
  ...call
}: ReadOptions & ContractRead<abi, functionName, args>): UseQueryResult<
  QuorumRead<ContractFunctionReturnType<abi, Mutability, functionName, args>>
> {
  const readChain = useReadChain()
  return useQuery({ ...contractQuery(chainId, call as never, readChain), ...query }) as never
}

/** wagmi's `useBalance` with evidence, in the smallest unit of the chain's coin. */
export function useQuorumBalance({
  chainId,
  address,
  query,
}: ReadOptions & { readonly address: `0x${string}` | undefined }): UseQueryResult<QuorumRead<bigint>> {
  const readChain = useReadChain()
  const enabled = address !== undefined && query?.enabled !== false
  return useQuery({
    ...balanceQuery(chainId, { address: address ?? '0x' }, readChain),
    ...query,
    enabled,
  })
}
