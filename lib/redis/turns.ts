import { z } from 'zod'
import type { Peers } from '../engine/peers.ts'
import type { createRedisClient } from './redis-client.ts'

/** The process that reads says so again and again; one that is silent for so long has gone, and nobody waits for it. */
const silenceMsMax = 600
const readingEveryMs = 200
/** A longer text is not passed on: all processes would have to carry it. */
const textCharsMax = 512 * 1024

const readingForm = z.object({ key: z.string(), isDone: z.boolean(), text: z.string().nullable() })
const waitingForm = z.object({ key: z.string() })

/** Reads of one process at a time. */
export interface Turns {
  /** Begins to listen for who reads this, before it is known who does. */
  readonly listen: (key: string) => Listener
  /** Whose turn it is: a lock that ends with its process. `unknown` while Redis is away. */
  readonly claim: (key: string) => Promise<'own' | 'other' | 'unknown'>
  /** Says that this process reads; returns what says that it has ended, and to those who wait what came of it. */
  readonly lead: (key: string) => (text: string | null) => void
}

interface Listener {
  /** What came of it; null where nothing did, where the other process has gone, or at this time. */
  readonly wait: (untilMs: number) => Promise<string | null>
  readonly close: () => void
}

type Client = Pick<ReturnType<typeof createRedisClient>, 'isReady' | 'set' | 'del'>
type Hear = (reading: z.output<typeof readingForm>) => void

/** Who can write to Redis can make a process wait for `silenceMsMax`, and no longer: what processes say is sealed, the lock is not. */
export function createTurns(client: Client, peers: Peers, now: () => number): Turns {
  /** A lock of another process that died is gone by then. */
  const lock = { type: 'PX', value: silenceMsMax } as const
  const listeners = new Map<string, Set<Hear>>()
  /** What this process reads, and whether somebody waits for it. */
  const led = new Map<string, boolean>()

  peers.on('reading', (value) => {
    const { data } = readingForm.safeParse(value)
    for (const hear of listeners.get(data?.key ?? '') ?? []) if (data !== undefined) hear(data)
  })
  peers.on('reading-awaited', (value) => {
    const { data } = waitingForm.safeParse(value)
    if (data !== undefined && led.has(data.key)) led.set(data.key, true)
  })

  function listen(key: string): Listener {
    const own = listeners.get(key) ?? new Set()
    let heardMs = now()
    let ended: { readonly text: string | null } | null = null
    let look = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    const hear: Hear = ({ isDone, text }) => {
      heardMs = now()
      if (!isDone) return
      ended = { text }
      look()
    }
    const close = () => {
      clearTimeout(timer)
      own.delete(hear)
      if (own.size === 0) listeners.delete(key)
    }
    listeners.set(key, own.add(hear))
    return {
      close,
      wait(untilMs) {
        peers.send('reading-awaited', { key })
        return new Promise((resolve) => {
          look = () => {
            clearTimeout(timer)
            const leftMs = Math.min(heardMs + silenceMsMax, untilMs) - now()
            if (ended === null && leftMs > 0) {
              timer = setTimeout(look, leftMs)
              return
            }
            close()
            resolve(ended?.text ?? null)
          }
          look()
        })
      },
    }
  }

  async function claim(key: string): Promise<'own' | 'other' | 'unknown'> {
    if (!client.isReady) return 'unknown'
    return client.set(key, '1', { condition: 'NX', expiration: lock }).then(
      (reply) => (reply === 'OK' ? 'own' : 'other'),
      () => 'unknown',
    )
  }

  function lead(key: string): (text: string | null) => void {
    const timer = setInterval(() => {
      peers.send('reading', { key, isDone: false, text: null })
      if (client.isReady) client.set(key, '1', { condition: 'XX', expiration: lock }).catch(() => {})
    }, readingEveryMs)
    led.set(key, false)
    return (text) => {
      clearInterval(timer)
      const isPassedOn = led.get(key) === true && text !== null && text.length <= textCharsMax
      led.delete(key)
      if (client.isReady) client.del(key).catch(() => {})
      peers.send('reading', { key, isDone: true, text: isPassedOn ? text : null })
    }
  }

  return { listen, claim, lead }
}
