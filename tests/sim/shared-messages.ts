import type { Claims, Peers } from '#lib/engine/peers.ts'
import { createMessages, type Messages } from '#lib/redis/messages.ts'
import type { Seal } from '#lib/redis/sealed-text.ts'
import type { Clock } from '#rpc-proxy'
import type { Chance } from './chance.ts'
import type { Time } from './time.ts'

/** How the memory between replicas is unreliable. */
export interface Faults {
  readonly chance: Chance
  readonly lies: () => boolean
  readonly forgets: () => boolean
  readonly lagMs: () => number
  /** Replicas in different halves do not share anything. */
  readonly halfOf: (replica: number) => 0 | 1
}

interface MessagesPorts {
  readonly seal: Seal
  readonly time: Time
  readonly faults: Faults
  readonly note: (what: string) => void
}

export interface SharedMessages {
  readonly peersOf: (replica: number) => Peers & Claims
  /** Replicas that did not hear each other do again. */
  readonly join: () => void
}

interface Member {
  readonly messages: Messages
  readonly takes: Map<string, (value: unknown) => void>
  readonly joins: (() => void)[]
}

const channel = 'simulation'
/** As the host bounds a claim. */
const claimMsMax = 30

/** What replicas say to each other through a memory that lags, loses, splits, and says something else. What one says to another stays in its order. */
export function createSharedMessages({ seal, time, faults, note }: MessagesPorts): SharedMessages {
  const { chance, lies, forgets, lagMs, halfOf } = faults
  const members: Member[] = []
  const texts: string[] = []
  const arrivals = new Map<string, number>()
  const claims = [0, 1].map(() => new Map<string, symbol>())
  const after = (ms: number, run: () => void) => time.at(time.now() + ms, 0.5, run)

  /** One that was changed, cut, or said before. */
  function lie(text: string): string {
    const at = chance.int(text.length)
    return chance.pick([`${text.slice(0, at)}!${text.slice(at + 1)}`, text.slice(0, at), chance.pick(texts)])
  }

  function receive({ messages, takes }: Member, text: string): void {
    const message = messages.read(text)
    if (message === null) return
    if (typeof message === 'string') note(`shared: a message is ${message}`)
    else takes.get(message.kind)?.(message.value)
  }

  function send(from: number, text: string): void {
    texts.push(text)
    for (const [to, member] of members.entries()) {
      if (to === from || halfOf(to) !== halfOf(from) || forgets()) continue
      const delivered = lies() ? lie(text) : text
      const way = `${from} ${to}`
      const atMs = Math.max(arrivals.get(way) ?? 0, time.now() + lagMs())
      arrivals.set(way, atMs)
      after(atMs - time.now(), () => receive(member, delivered))
    }
  }

  async function claim(replica: number, name: string, ms: number): Promise<(() => void) | null> {
    await new Promise<void>((resolve) => after(Math.min(lagMs(), claimMsMax), resolve))
    const half = claims[halfOf(replica)] as Map<string, symbol>
    if (half.has(name) && !forgets()) return null
    const own = Symbol(name)
    const end = () => void (half.get(name) === own && half.delete(name))
    half.set(name, own)
    after(ms, end)
    return end
  }

  return {
    peersOf(replica) {
      const messages = createMessages(`replica ${replica}`, { channel, seal, now: time.now })
      const member: Member = { messages, takes: new Map(), joins: [] }
      members[replica] = member
      const say = (kind: string, value: unknown) => send(replica, messages.write({ kind, value }))
      return {
        send: say,
        on: (kind, take) => void member.takes.set(kind, take),
        onJoin: (join) => void member.joins.push(join),
        isJoined: () => true,
        claim: (name, ms) => claim(replica, name, ms),
      }
    },
    join() {
      for (const { joins } of members) for (const join of joins) join()
    },
  }
}

/** Of what shares: its timers are not the engine's. */
export function clockOf(time: Time): Clock {
  return {
    now: time.now,
    after(ms, run) {
      let isCancelled = false
      time.at(time.now() + ms, 0.5, () => {
        if (!isCancelled) run()
      })
      return () => {
        isCancelled = true
      }
    },
  }
}
