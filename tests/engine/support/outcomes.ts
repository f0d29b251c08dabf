import type { EngineEvent } from '#rpc-proxy'
import { type Answered, type PostOptions, rpc } from '../../support/gateway-calls.ts'
import { type ReceivedCall, type Reply, says } from '../../support/replies.ts'
import { type Fork, hashOf, logAt } from '../../support/scripted-chain.ts'
import type { Script, World } from '../../support/world.ts'

/** What an answer without a quorum has, for `toMatchObject`; the reason where it matters. */
export const noQuorum = (reason?: string) => ({
  error: { code: -32010, ...(reason !== undefined && { data: { reason } }) },
})

/** What an answer has with these headers of the gateway. */
export const headersOf = (fields: Readonly<Record<string, string | number>>) => ({
  headers: Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`x-quorate-${name}`, String(value)]),
  ),
})

/** What an answer from the cache, or not from it, has. */
export const cache = (state: 'hit' | 'miss') => headersOf({ cache: state })

/** What an answer has by which so many agree: `2/2/3`. */
export const agreement = (text: string) => headersOf({ agreement: text })

/** What an answer has that too few support, or too little weight. */
export const thin = headersOf({ thin: 1 })

/** So many witnesses alike. */
export const witnesses = (count: number, script: Script): readonly Script[] =>
  Array.from({ length: count }, () => ({ ...script, role: 'witness' }))

/** All events of this type. */
export const eventsOf = <Type extends EngineEvent['type']>({ events }: World, type: Type) =>
  events.filter((event): event is Extract<EngineEvent, { type: Type }> => event.type === type)

export const certificateOf = (world: World, { headers }: Pick<Answered, 'headers'>) =>
  world.gateway.certificate(headers['x-quorate-answer'] ?? '')

/** Asks for the head so often, each time so long after the last. */
export async function pollHeads(world: World, times: number, everyMs: number, options: PostOptions = {}) {
  for (let poll = 0; poll < times; poll++) {
    await world.clock.advance(everyMs)
    await rpc(world, 'eth_blockNumber', [], options)
  }
}

/** An account of its own for each number, so that nothing is cached. */
export const accountOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

/** Params of a read of that account. */
export const uncached = (number: number) => [accountOf(number), 'latest']

/** A block as events and certificates name it. */
export const blockOf = (number: number, fork: Fork | null = null) => ({ number, hash: hashOf(number, fork) })

/** What nodes have been found at fault for, each as `a malformed`. */
export const faultsOf = ({ events }: World) =>
  events.flatMap((event) =>
    event.type === 'upstream-request' && event.fault !== null ? [`${event.node} ${event.fault}`] : [],
  )

/** The first and the last block that an `eth_getLogs` asks for. */
export function rangeOf({ params }: ReceivedCall): readonly [number, number] {
  const { fromBlock, toBlock } = params[0] as { readonly fromBlock: string; readonly toBlock: string }
  return [Number(fromBlock), Number(toBlock)]
}

/** One log in each block, with these fields; none where there are none. */
export const logsOf =
  (fieldsAt: (number: number) => object | null): Reply =>
  (received) => {
    const [from, to] = rangeOf(received)
    const logs = Array.from({ length: to - from + 1 }, (_, index) => {
      const fields = fieldsAt(from + index)
      return fields === null ? [] : [logAt(from + index, 0, fields)]
    })
    return says(logs.flat())(received)
  }

/** A node that reads so many blocks of logs at once, and refuses more. */
export const readsBlocks =
  (most: number, refusal: Reply, reply = says([])): Reply =>
  (received) => {
    const [from, to] = rangeOf(received)
    return (to - from < most ? reply : refusal)(received)
  }

/** Begins to drain. */
export function drain({ gateway }: World) {
  let isDrained = false
  const done = gateway.drain().then(() => {
    isDrained = true
  })
  return { done, isDrained: () => isDrained }
}
