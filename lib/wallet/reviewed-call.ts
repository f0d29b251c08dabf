import type { Abi, ContractFunctionArgs, ContractFunctionName, ContractFunctionParameters, Hex } from 'viem'
import type { TransactionStatus } from './stored-transactions.ts'

type Writes = 'nonpayable' | 'payable'

/** A call of a contract, typed by its ABI as in viem's `writeContract`. */
export type ContractCall<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Writes> = ContractFunctionName<abi, Writes>,
  args extends ContractFunctionArgs<abi, Writes, functionName> = ContractFunctionArgs<
    abi,
    Writes,
    functionName
  >,
> = ContractFunctionParameters<abi, Writes, functionName, args> & CallOptions

/** Any other transaction. */
export interface PlainCall extends CallOptions {
  readonly to: `0x${string}`
  readonly data?: Hex
}

interface CallOptions {
  readonly chainId: number
  /** In the smallest unit of the chain's coin. */
  readonly value?: bigint
}

export type ReviewedCall = ContractCall | PlainCall

/** Calls of one chain: in one prompt where the wallet carries them out as one, else one after the other. */
export interface ReviewedCalls {
  readonly chainId: number
  readonly calls: readonly (Omit<ContractCall, 'chainId'> | Omit<PlainCall, 'chainId'>)[]
}

/**
 * Why a reviewed transaction is not confirmed. `closed`: the visitor left the review, nothing was sent; of calls one after the other,
 * not the last of them. `unanswered`: the visitor left it after the wallet gave an unclear answer, so it may have been sent.
 * `not-connected`, `unknown-chain`: there was no review. The others are states of a transaction that was sent; docs/wallet.md
 * explains them.
 */
export type ReviewFault =
  | 'closed'
  | 'not-connected'
  | 'unknown-chain'
  | Exclude<TransactionStatus, 'pending' | 'confirmed'>

export class ReviewError extends Error {
  readonly fault: ReviewFault

  constructor(fault: ReviewFault) {
    super(`reviewed transaction: ${fault}`)
    this.name = 'ReviewError'
    this.fault = fault
  }
}
