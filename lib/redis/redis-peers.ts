import type { Peers } from '../engine/peers.ts'
import type { HostCounts } from '../observe/host-counts.ts'
import { prefix } from '../public-names.ts'
import { createMessages, type DropReason } from './messages.ts'
import type { RedisLink } from './redis-client.ts'
import type { Seal } from './sealed-values.ts'

interface PeersOptions {
  readonly seal: Seal
  /** Says; another one hears, because a connection that subscribes does nothing else. */
  readonly redis: RedisLink
  readonly listener: RedisLink
  readonly now: () => number
  readonly counts: Pick<HostCounts, 'counter' | 'gauge'>
}

const channel = `${prefix}:peers`
const reasons: readonly DropReason[] = ['forged', 'replayed', 'aged', 'malformed']

/**
 * The processes with the same REDIS_URL and SESSION_SECRET, by publish and subscribe. No call waits for Redis: while it is away,
 * slow or full, messages are lost and counted.
 */
export function createPeers({ redis, listener, seal, now, counts }: PeersOptions): Peers {
  const messages = createMessages(crypto.randomUUID(), { channel, seal, now })
  const listeners = new Map<string, (value: unknown) => void>()
  const joins: (() => void)[] = []
  const count = counts.counter('peer_messages_total', 'way', ['sent', 'lost', 'received'])
  const drop = counts.counter('peer_messages_dropped_total', 'why', reasons)
  let isHearing = false
  let isTelling = false
  const isJoined = () => isHearing && isTelling
  counts.gauge('peers_joined', () => (isJoined() ? 1 : 0))

  function receive(text: string): void {
    const message = messages.read(text)
    if (message === null) return
    if (typeof message === 'string') {
      drop(message)
      return
    }
    count('received')
    if (message.kind === 'hello') for (const each of joins) each()
    listeners.get(message.kind)?.(message.value)
  }

  async function listen(): Promise<void> {
    // Called after each connect: a new connection has no subscriptions.
    await listener.run((client) => client.subscribe(channel, receive))
    isHearing = true
    catchUp()
  }

  /** Makes all replicas repeat their messages: some may be lost while a connection is down or a kind has no listener. */
  function catchUp(): void {
    if (!isJoined()) return
    send('hello', null)
    for (const each of joins) each()
  }

  const send = (kind: string, value: unknown) =>
    void redis
      .run((client) => client.publish(channel, messages.write({ kind, value })))
      .then(
        () => count('sent'),
        () => count('lost'),
      )

  listener.onAway(() => {
    isHearing = false
  })
  listener.onReady(() => void listen().catch(() => {}))
  redis.onAway(() => {
    isTelling = false
  })
  redis.onReady(() => {
    isTelling = true
    catchUp()
  })

  return {
    send,
    on(kind, take) {
      listeners.set(kind, take)
      catchUp()
    },
    onJoin: (each) => void joins.push(each),
    isJoined,
  }
}
