import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionParameters,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
} from 'viem'
import type { ReadChain } from '#lib/page/reading.ts'
import { type QuorumReadQuery, quorumQuery } from './quorum-read.ts'

export type Mutability = 'pure' | 'view'

/** A call of a `view` function, typed by its ABI as in viem's `readContract`. */
export type ContractRead<
  abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
  args extends ContractFunctionArgs<abi, Mutability, functionName>,
> = ContractFunctionParameters<abi, Mutability, functionName, args>

/**
 * Reads a contract at the agreed latest block. The query throws QuorumReadError, or viem's error for arguments or a result that do not fit
 * the ABI.
 */
export function contractQuery<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
  const args extends ContractFunctionArgs<abi, Mutability, functionName>,
>(
  chainId: number,
  read: ContractRead<abi, functionName, args>,
  readChain: ReadChain,
): QuorumReadQuery<ContractFunctionReturnType<abi, Mutability, functionName, args>> {
  const { abi, address, functionName, args } = read as ContractFunctionParameters
  const data = encoded({ abi, functionName, args } as EncodeFunctionDataParameters)
  if (data instanceof Error)
    return {
      queryKey: ['quorum-read', chainId, 'eth_call', functionName ?? null, data.message],
      queryFn: () => Promise.reject(data),
    }
  const readCall = { method: 'eth_call', params: [{ to: address, data }, 'latest'] }
  return quorumQuery(chainId, readCall, readChain, (value) =>
    decodeFunctionResult({ abi, functionName, args, data: value as Hex }),
  ) as never
}

/** A page may not know the arguments yet: that is an error of a query, which need not be enabled, and not of the page. */
function encoded(call: EncodeFunctionDataParameters): Hex | Error {
  try {
    return encodeFunctionData(call)
  } catch (error) {
    return error as Error
  }
}
