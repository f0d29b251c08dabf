import { type Claims, type Peers, shareCordons } from '#lib/engine/peers.ts'
import { shareHeadPolls } from '#lib/redis/shared-head-polls.ts'
import { createSharedRandom } from '#lib/redis/shared-random.ts'
import type { Gateway, Ports, Send, SendResponse } from '#rpc-proxy'
import { createChance } from './chance.ts'
import type { RunContext } from './run-context.ts'
import { clockOf } from './shared-messages.ts'

interface Sharing extends Pick<ReturnType<typeof shareHeadPolls>, 'onPolled'> {
  readonly send: Send
  readonly ports: Pick<Ports, 'sharedRandom' | 'randomBytes'>
  /** What cordons at all replicas. */
  readonly cordons: (gateway: Gateway) => Gateway['cordon']
}

/** Head polls and cordons of a replica, shared with the others as the host does it. */
export function shareAll(
  peers: Peers & Claims,
  { world, time, network, note }: Pick<RunContext, 'world' | 'time' | 'network' | 'note'>,
): Sharing {
  const chance = createChance(world.seed ^ network.tick() ^ 0x510e527f)
  const sent = new WeakSet<SendResponse>()
  const send: Send = async (request) => {
    const response = await network.send(request)
    sent.add(response)
    return response
  }
  const polls = shareHeadPolls(send, {
    peers,
    clock: clockOf(time),
    chainOf: (url) => world.chains.find(({ nodes }) => nodes.some((node) => node.url === url))?.id ?? null,
    onSaved: () => note('shared: a head poll'),
  })
  return {
    onPolled: polls.onPolled,
    ports: {
      sharedRandom: createSharedRandom(time.now),
      randomBytes: (bytes) => bytes.map(() => chance.int(256)),
    },
    cordons: (gateway) => shareCordons(gateway, peers, time.now),
    async send(request) {
      const response = await polls.send(request)
      if (!sent.has(response)) network.share(request, response)
      return response
    },
  }
}
