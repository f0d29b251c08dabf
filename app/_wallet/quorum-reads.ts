'use client'

import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  Abi,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionParameters,
  ContractFunctionReturnType,
} from 'viem'
import { useChainId } from 'wagmi'
import { type ContractRead, contractQuery, type Mutability } from '#lib/reads/contract-read.ts'
import { balanceQuery, type QuorumRead } from '#lib/reads/quorum-read.ts'
import { useReadChain } from './use-read-chain.ts'

interface ReadOptions<Value, Selected> {
  /** Else the chain of the wallet. */
  readonly chainId?: number | undefined
  /** Of TanStack Query: `enabled`, `select`, `staleTime` and all else. */
  readonly query?:
    | Omit<UseQueryOptions<QuorumRead<Value>, Error, Selected>, 'queryKey' | 'queryFn'>
    | undefined
}

type Unsure<Parameters> = { readonly [name in keyof Parameters]?: Parameters[name] | undefined }
/** Any parameter may still be missing, as with wagmi. Only as two types does TypeScript infer the ABI through it. */
type Partly<Parameters> = Parameters extends object ? Unsure<Parameters> : Parameters

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
  selected = QuorumRead<ContractFunctionReturnType<abi, Mutability, functionName, args>>,
>({
  chainId,
  query,
  ...call
}: ReadOptions<ContractFunctionReturnType<abi, Mutability, functionName, args>, selected> &
  Partly<ContractRead<abi, functionName, args>>): UseQueryResult<selected> {
  const readChain = useReadChain()
  const walletChain = useChainId()
  const { abi, address, functionName } = call as Partial<ContractFunctionParameters>
  const isWhole = abi !== undefined && address !== undefined && functionName !== undefined
  return useQuery({
    ...contractQuery(chainId ?? walletChain, call as never, readChain),
    ...({ ...query, enabled: isWhole && (query?.enabled ?? true) } as object),
  }) as never
}

/** wagmi's `useBalance` with evidence, in the smallest unit of the chain's coin. */
export function useQuorumBalance<selected = QuorumRead<bigint>>({
  chainId,
  address,
  query,
}: ReadOptions<bigint, selected> & {
  readonly address?: `0x${string}` | undefined
}): UseQueryResult<selected> {
  const readChain = useReadChain()
  const walletChain = useChainId()
  return useQuery({
    ...balanceQuery(chainId ?? walletChain, { address: address ?? '0x' }, readChain),
    ...query,
    enabled: address !== undefined && (query?.enabled ?? true),
  })
}
