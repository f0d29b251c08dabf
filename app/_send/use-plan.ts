import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { withTimeout } from 'viem'
import { type Config, useConfig } from 'wagmi'
import { hasOwners, isAtomic } from '#lib/wallet/calls.ts'
import { asStep, type Intent, type Plan, type Planned, planEverything, planSend } from '#lib/wallet/plan.ts'
import { planBatch } from '#lib/wallet/plan-batch.ts'
import { lazyCode } from '../_ui/lazy-code.ts'
import { useReadProtected } from '../_wallet/use-read-chain.ts'
import { useWallet } from '../_wallet/wallet.ts'
import { type FieldErrors, planErrorsOf } from './field-errors.ts'

/** A transaction of whichever account is connected. */
export type TransactionWish = Omit<Intent, 'from' | 'hasOwners' | 'token'>

/** What a visitor wants: one call, or several of one chain in their order. */
export type Wishes = TransactionWish | readonly TransactionWish[]

/** A plan, or why there is none. */
export type Planning = { readonly plan: Plan } | { readonly errors: FieldErrors }

/** Plans calls of the connected account: everything is read and simulated at an agreed block. Null without an account. */
export function usePlan(): (wishes: Wishes) => Promise<Planning | null> {
  const config = useConfig()
  const queries = useQueryClient()
  const { address: from, chains } = useWallet()
  const readChain = useReadProtected()
  return async (wishes) => {
    const [wish, ...others] = [wishes].flat()
    if (!from || !wish) return null
    const { chainId } = wish
    const owners = await hasOwners(config)
    const toIntent = (one: TransactionWish): Intent => ({ ...one, from, hasOwners: owners })
    const intents = [toIntent(wish), ...others.map(toIntent)] as const
    const readCalls = (calls: Parameters<typeof readChain>[1]) => readChain(chainId, calls)
    const mayBatch = () =>
      queries.fetchQuery({
        queryKey: atomicKey(config, { from, chainId }),
        queryFn: () => isAtomic(config, chainId),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: Number.POSITIVE_INFINITY,
      })
    const planned = await planWhole(intents, { readCalls, mayBatch })
    if (!('plan' in planned)) {
      const abis = [wish, ...others].flatMap(({ abi }) => (abi ? [abi] : []))
      return { errors: planErrorsOf(planned, abis) }
    }
    const { plan } = planned
    if (plan.calls.every(({ meaning }) => meaning.kind !== 'call')) return planned
    const isLocal = chains.some(({ id, isLocal }) => id === chainId && isLocal === true)
    const describe = async () => {
      const { withDisplays } = await queries.fetchQuery(clearSigningCode)
      return withDisplays(plan, { readCalls, isLocal })
    }
    return { plan: await withTimeout(describe, { timeout: displayWithinMs }).catch(() => plan) }
  }
}

/** A review goes on without the words of a descriptor where they take longer than `displayWithinMs`. */
const clearSigningCode = lazyCode('clear-signing', () => import('#lib/wallet/clear-signing.ts'))
const displayWithinMs = 4000

type Intents = readonly [Intent, ...Intent[]]

interface Means {
  readonly readCalls: Parameters<typeof planBatch>[1]
  readonly mayBatch: () => Promise<boolean>
}

async function planWhole(intents: Intents, { readCalls, mayBatch }: Means): Promise<Planned> {
  if (intents.length > 1) return planSeveral(intents, { readCalls, mayBatch })
  const [intent] = intents
  const planned = await (intent.isEverything ? planEverything : planSend)(intent, readCalls)
  const steps = 'plan' in planned ? planned.plan.steps : undefined
  if (!steps || !(await mayBatch())) return planned
  const batch = await planBatch(steps.intents, readCalls)
  if (!batch || !('plan' in batch)) return planned
  return { plan: { ...batch.plan, steps: { ...steps, current: steps.intents.length - 1 } } }
}

/** All in one prompt where the wallet can, else the first of them. What fails together is not begun one by one. */
async function planSeveral(intents: Intents, { readCalls, mayBatch }: Means): Promise<Planned> {
  const batch = await planBatch(intents, readCalls)
  if (batch && !('plan' in batch)) return batch
  if (batch && (await mayBatch())) return batch
  const all = batch?.plan.calls.map(({ intent }) => intent) ?? intents
  const planned = await planSend(batch?.plan.calls[0].intent ?? intents[0], readCalls)
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
