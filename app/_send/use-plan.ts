'use client'

import { useMutation } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Abi } from 'viem'
import { useConfig } from 'wagmi'
import { hasOwners } from '#lib/wallet/calls.ts'
import { type Intent, type Planned, planEverything, planSend } from '#lib/wallet/plan.ts'
import { useReadProtected } from '../_wallet/use-read-chain.ts'
import { useWallet } from '../_wallet/wallet.ts'

/** A transaction of whichever account is connected. */
export type TransactionWish = Omit<Intent, 'from' | 'hasOwners' | 'token'> & {
  /** Whether all that the account has is sent, but for the fee: then `value` does not count. */
  readonly isEverything?: boolean
  /** Of the called contract: names its errors. */
  readonly abi?: Abi
}

/** Plans a transaction of the connected account: everything is read and simulated at an agreed block. Null without an account. */
export function usePlan(): { plan: (wish: TransactionWish) => Promise<Planned | null>; isPending: boolean } {
  const config = useConfig()
  const { address: from } = useWallet()
  const readChain = useReadProtected()
  const mutationFn = useCallback(
    async ({ isEverything, abi: _, ...wish }: TransactionWish) => {
      if (!from) return null
      const intent = { ...wish, from, hasOwners: await hasOwners(config) }
      const plan = isEverything ? planEverything : planSend
      return plan(intent, (calls) => readChain(wish.chainId, calls))
    },
    [config, from, readChain],
  )
  const { mutateAsync: plan, isPending } = useMutation({ mutationFn })
  return { plan, isPending }
}
