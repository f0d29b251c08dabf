import type { Chain, Chains } from '../chain/chain.ts'
import { methodSpec } from '../methods/table.ts'
import { Abort } from '../runtime/abort.ts'
import { CallError } from '../runtime/errors.ts'
import type { FollowedChain } from '../subscriptions/source.ts'
import type { Subscribed } from '../subscriptions/subscription.ts'
import type { Subscriptions } from '../subscriptions/subscriptions.ts'
import { cachedRead } from './cached-read.ts'
import { filterChainOf, rawOf } from './filter.ts'
import { ownResult, type Scope } from './scope.ts'
import type { CallResult, FilterServices, ReadScope, ReadServices } from './services.ts'

/** What a message to a subscriber costs it: as much as a cache hit. */
const messageCost = 0.1

/** eth_subscribe and eth_unsubscribe. */
export async function callSubscription(
  services: FilterServices,
  params: readonly unknown[],
  scope: Scope,
): Promise<CallResult> {
  const { subscriptions } = services
  const { subscribing, chain, policy } = scope
  if (subscriptions === null || subscribing === null) throw notSupported()
  const [first, filter] = params
  if (isId(first)) {
    const isRemoved = subscriptions.remove(subscribing.subscriber, first)
    if (!isRemoved) throw new CallError('filter-not-found', { message: 'subscription not found' })
    return ownResult('true')
  }
  const subscribed = (first === 'newHeads' ? first : filter) as Subscribed
  const id = await subscriptions.add(
    subscribing,
    subscribed,
    followedChain(services, chain, policy === 'everyday' ? policy : 'protected'),
  )
  const onUndelivered = () => void subscriptions.remove(subscribing.subscriber, id)
  return { ...ownResult(`"${id}"`), onUndelivered }
}

/** geth's error, whatever the params are: over HTTP nothing can be sent later. */
export const notSupported = () =>
  new CallError('no-method', { message: 'notifications not supported: subscribe over a WebSocket' })

/** The chains of a new configuration take the place of those that are followed. */
export function reloadSubscriptions(
  subscriptions: Subscriptions,
  services: ReadServices,
  chains: Chains,
): void {
  subscriptions.reload(({ chain: { config }, policy }) => {
    const chain = chains.get(config.id)
    if (chain === undefined) return null
    return followedChain(services, policy === 'everyday' ? chain : chain.under.protected, policy)
  })
}

/** An id, or what is subscribed to: the two methods share no param. */
const isId = (param: unknown): param is string => String(param).startsWith('0x')

function followedChain(services: ReadServices, chain: Chain, policy: FollowedChain['policy']): FollowedChain {
  const { clock, admission, emit } = services
  const { config } = chain
  return {
    chain,
    policy,
    clock,
    poll(payer) {
      const endMs = clock.now() + config.deadlineMs
      const stays = new Abort()
      const now: ReadScope = {
        ...{ chain, policy, endMs, caller: payer, trace: null },
        signal: () => stays,
        head: () => chain.head(endMs),
      }
      let isUnsure = false
      const readable = filterChainOf(now, services)
      return {
        chain: {
          ...readable,
          async logs(filter) {
            const found = await readable.logs(filter)
            isUnsure ||= !found.isSure
            return found
          },
        },
        header: (hash) => headerOf(hash, now, services),
        isUnsure: () => isUnsure,
      }
    },
    sent: (caller) => admission.done(messageCost, caller),
    onSurprise(thrown) {
      const detail = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : 'something was thrown'
      emit({ type: 'breach', chainId: config.id, invariant: 'no surprise', detail })
    },
  }
}

/** What a block has and a header has not. */
const notOfHeaders = ['transactions', 'uncles', 'withdrawals', 'size', 'totalDifficulty']

async function headerOf(hash: string, scope: ReadScope, services: ReadServices): Promise<string> {
  const result = await cachedRead(services, methodSpec('eth_getBlockByHash'), [hash, false], scope)
  const block = JSON.parse(rawOf(result)) as Record<string, unknown> | null
  if (block === null) throw new CallError('block-not-found')
  const header = Object.entries(block).filter(([name]) => !notOfHeaders.includes(name))
  return JSON.stringify(Object.fromEntries(header))
}
