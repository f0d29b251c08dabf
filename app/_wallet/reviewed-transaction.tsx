'use client'

import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Abi, ContractFunctionArgs, ContractFunctionName, Hex, MulticallContracts, Narrow } from 'viem'
import {
  type ContractCall,
  type PlainCall,
  ReviewError,
  type ReviewedCall,
  type ReviewedCalls,
  type ReviewFault,
} from '#lib/wallet/reviewed-call.ts'
import { lazyCode } from '../_ui/lazy-code.ts'
import { useWallet } from './wallet.ts'

const reviewCode = lazyCode('review', () => import('../_send/review-dialog.tsx'))

interface Review<Result> {
  <
    const abi extends Abi | readonly unknown[],
    functionName extends ContractFunctionName<abi, 'nonpayable' | 'payable'>,
    const args extends ContractFunctionArgs<abi, 'nonpayable' | 'payable', functionName>,
  >(
    call: ContractCall<abi, functionName, args>,
  ): Result
  (call: PlainCall): Result
  <const contracts extends readonly unknown[]>(several: {
    readonly chainId: number
    readonly calls: readonly [
      ...MulticallContracts<
        Narrow<contracts>,
        { mutability: 'nonpayable' | 'payable'; properties: { readonly value?: bigint } }
      >,
    ]
  }): Result
  (several: { readonly chainId: number; readonly calls: readonly Omit<PlainCall, 'chainId'>[] }): Result
}

/** TanStack's mutation: `pending` from the review to the last confirmation, `success` once confirmed as reviewed. */
export type ReviewedTransaction = Omit<
  UseMutationResult<Hex, Error, ReviewedCall | ReviewedCalls>,
  'mutate' | 'mutateAsync'
> & {
  /** Opens the review. What goes wrong is `error`: a `ReviewError`, or viem's error for arguments that do not fit the ABI. */
  readonly review: Review<void>
  /** The same; resolves with the hash once the transaction is confirmed. */
  readonly reviewAsync: Review<Promise<Hex>>
  /** Since it was sent. A multi-owner wallet returns it after its owners have signed. */
  readonly hash: Hex | undefined
}

/** Ends the review that is open, if there is one: only one is shown at a time. If the wallet is asked just then, its answer counts. */
let leave = () => {}

/**
 * Reviews any transaction before the wallet is asked: decoded, simulated at an agreed block, shown with its fee and what it
 * changes. Then it is sent and followed, and what was included is compared with what was reviewed.
 *
 * @example
 * const { review, status, hash, error } = useReviewedTransaction()
 * review({ chainId: 137, address, abi, functionName: 'deposit', args: [token, 5n] })
 * review({ chainId: 137, to, value: 1n, data: '0x' })
 * // In one prompt where the wallet can, else one after the other:
 * review({ chainId: 137, calls: [{ address: token, abi: erc20Abi, functionName: 'approve', args }, { address, abi, functionName: 'stake' }] })
 */
export function useReviewedTransaction(): ReviewedTransaction {
  const { address, chains, show } = useWallet()
  const queries = useQueryClient()
  const [hash, setHash] = useState<Hex>()
  const latest = useRef(0)
  /** The hash is that of the latest call. The one before may be pending still. */
  const begin = () => {
    setHash(undefined)
    latest.current += 1
    const own = latest.current
    return () => latest.current === own
  }
  const { mutate, mutateAsync, ...state } = useMutation<Hex, Error, ReviewedCall | ReviewedCalls>({
    async mutationFn(call) {
      const isLatest = begin()
      if (!address) throw new ReviewError('not-connected')
      if (!chains.some(({ id }) => id === call.chainId)) throw new ReviewError('unknown-chain')
      const { ReviewDialog, toWishes } = await queries.fetchQuery(reviewCode)
      const wishes = toWishes(call)
      leave()
      return new Promise((resolve, reject) => {
        let fault: Promise<ReviewFault | null> = Promise.resolve('closed')
        leave = () => void fault.then((why) => why && reject(new ReviewError(why)))
        show(
          <ReviewDialog
            key={performance.now()}
            wishes={wishes}
            onSubmit={(next) => {
              const before = fault
              fault = next.then((why) => (why === 'closed' ? before : why))
            }}
            onSent={(sent) => isLatest() && setHash(sent)}
            onConfirmed={resolve}
            onError={reject}
            onClose={() => {
              leave()
              show(null)
            }}
          />,
        )
      })
    },
  })
  const reset = () => {
    begin()
    state.reset()
  }
  return { ...state, reset, hash, review: mutate, reviewAsync: mutateAsync } as never
}
