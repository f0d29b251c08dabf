'use client'

import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type Abi, withTimeout } from 'viem'
import { type Config, useConfig } from 'wagmi'
import { hasOwners, isAtomic } from '#lib/wallet/calls.ts'
import { asStep, type Intent, type Plan, type Planned, planEverything, planSend } from '#lib/wallet/plan.ts'
import { planBatch } from '#lib/wallet/plan-batch.ts'
import { lazyCode } from '../_ui/lazy-code.ts'
import { useReadProtected } from '../_wallet/use-read-chain.ts'
import { useWallet } from '../_wallet/wallet.ts'
import { type FieldErrors, planErrorsOf } from './field-errors.ts'

/** A transaction of whichever account is connected. */
export type TransactionWish = Omit<Intent, 'from' | 'hasOwners' | 'token'> & {
  /** Whether all that the account has is sent, but for the fee: then `value` does not count. */
  readonly isEverything?: boolean
  /** Of the called contract: names its errors. */
  readonly abi?: Abi
}

/** What a visitor wants: one call, or several of one chain in their order. */
export type Wishes = TransactionWish | readonly TransactionWish[]

/** A plan, or why there is none. */
export type Planning = { readonly plan: Plan } | { readonly errors: FieldErrors }

/** Plans calls of the connected account: everything is read and simulated at an agreed block. Null without an account. */
export function usePlan(): { plan: (wishes: Wishes) => Promise<Planning | null>; isPending: boolean } {
  const config = useConfig()
  const queries = useQueryClient()
  const { address: from, chains } = useWallet()
  const readChain = useReadProtected()
  const mutationFn = useCallback(
    async (wishes: Wishes): Promise<Planning | null> => {
      const several = [wishes].flat()
      const [wish] = several
      if (!from || !wish) return null
      const { chainId } = wish
      const owners = await hasOwners(config)
      const intents = several.map(({ isEverything: _, abi: __, ...one }) => ({
        ...one,
        from,
        hasOwners: owners,
      }))
      const readCalls = (calls: Parameters<typeof readChain>[1]) => readChain(chainId, calls)
      const mayBatch = () =>
        queries.fetchQuery({
          queryKey: atomicKey(config, { from, chainId }),
          queryFn: () => isAtomic(config, chainId),
          staleTime: Number.POSITIVE_INFINITY,
          gcTime: Number.POSITIVE_INFINITY,
        })
      const planned = await planWhole(intents, {
        readCalls,
        mayBatch,
        isEverything: wish.isEverything === true,
      })
      if (planned === null) return null
      if (!('plan' in planned))
        return {
          errors: planErrorsOf(
            planned,
            several.flatMap(({ abi }) => (abi ? [abi] : [])),
          ),
        }
      const { plan } = planned
      if (plan.calls.every(({ meaning }) => meaning.kind !== 'call')) return planned
      const isLocal = chains.some(({ id, isLocal }) => id === chainId && isLocal === true)
      const describe = async () => {
        const { withDisplays } = await queries.fetchQuery(clearSigningCode)
        return withDisplays(plan, { readCalls, isLocal })
      }
      return { plan: await withTimeout(describe, { timeout: displayWithinMs }).catch(() => plan) }
    },
    [config, queries, from, chains, readChain],
  )
  const { mutateAsync: plan, isPending } = useMutation({ mutationFn })
  return { plan, isPending }
}

/** A review goes on without the words of a descriptor where they take longer than `displayWithinMs`. */
const clearSigningCode = lazyCode('clear-signing', () => import('#lib/wallet/clear-signing.ts'))
const displayWithinMs = 4000

interface Means {
  readonly readCalls: Parameters<typeof planBatch>[1]
  readonly mayBatch: () => Promise<boolean>
}

async function planWhole(
  intents: readonly Intent[],
  { isEverything, ...means }: Means & { readonly isEverything: boolean },
): Promise<Planned | null> {
  if (intents.length > 1) return planSeveral(intents, means)
  const { readCalls, mayBatch } = means
  const [intent] = intents
  if (!intent) return null
  const planned = await (isEverything ? planEverything : planSend)(intent, readCalls)
  const steps = 'plan' in planned ? planned.plan.steps : undefined
  if (!steps || !(await mayBatch())) return planned
  const batch = await planBatch(steps.intents, readCalls)
  if (!batch || !('plan' in batch)) return planned
  return { plan: { ...batch.plan, steps: { ...steps, current: steps.intents.length - 1 } } }
}

/** All in one prompt where the wallet can, else the first of them. What fails together is not begun one by one. */
async function planSeveral(
  intents: readonly Intent[],
  { readCalls, mayBatch }: Means,
): Promise<Planned | null> {
  const batch = await planBatch(intents, readCalls)
  if (batch && !('plan' in batch)) return batch
  if (batch && (await mayBatch())) return batch
  const all = batch ? batch.plan.calls.map(({ intent }) => intent) : intents
  const [first] = all
  if (!first) return null
  const planned = await planSend(first, readCalls)
  if (!('plan' in planned)) return planned
  return { plan: asStep(planned.plan, { intents: all, current: 0, allowance: batch?.plan.steps?.allowance }) }
}

const atomicKey = ({ state }: Config, { from, chainId }: Pick<Intent, 'from' | 'chainId'>) => [
  'atomic',
  state.current,
  from,
  chainId,
]

/** For the rest of the session: the wallet said that it can and then that it cannot, or may not. */
export function rememberNotAtomic(
  { queries, config }: { readonly queries: QueryClient; readonly config: Config },
  intent: Pick<Intent, 'from' | 'chainId'>,
): void {
  queries.setQueryData(atomicKey(config, intent), false)
}
