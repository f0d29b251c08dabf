import { z } from 'zod'
import type { Peers } from '../engine/peers.ts'
import { textAt } from './bounded-text.ts'
import type { RedisClient } from './redis-connection.ts'
import type { Seal } from './sealed-text.ts'

/** The process that reads says so again and again; one that is silent for so long has gone, and nobody waits for it. */
const silenceMsMax = 600
const readingEveryMs = 200
/** A longer text is not passed on: all processes would have to carry it. */
const textCharsMax = 512 * 1024
/** More than that is no result, and not fetched. */
const fetchBytesMax = 256 * 1024
/** Stands where the result will be, before the time at which it was written, sealed. */
const markerStart = 'reading '

const readingForm = z.object({ key: z.string(), isDone: z.boolean(), text: z.string().nullable() })
const waitingForm = z.object({ key: z.string() })

/** Reads of one process at a time. */
export interface Turns {
  /** Begins to listen for who reads this, before it is known who does. */
  readonly listen: (key: string) => Listener
  /** What is kept there; where nothing is, it is this process's turn to read it, unless it is another one's. Throws while Redis is away. */
  readonly claim: (key: string) => Promise<Claim>
  /** What is kept there, and nothing more. */
  readonly look: (key: string) => Promise<Pick<Claim, 'text'>>
  /** A result is on its way there. */
  readonly fill: (key: string) => void
}

interface Claim {
  readonly text: string | null
  readonly isElsewhere: boolean
  /** Ends the turn of this process, if it was its turn. `textOf` is what came of it, for those who wait. */
  readonly end: (textOf: () => string | null) => void
}

interface Listener {
  /** What came of it; null where nothing did, where the other process has gone, or at this time. */
  readonly wait: (untilMs: number) => Promise<string | null>
  readonly close: () => void
}

/** A read of this process. Who waits too late for it to know is told that it is over. */
interface Turn {
  isAwaited: boolean
  isOver: boolean
  /** The result has taken the place of the marker. */
  hasResult: boolean
}

type Hear = (reading: z.output<typeof readingForm>) => void

interface TurnsOptions {
  readonly peers: Peers
  readonly seal: Seal
  readonly now: () => number
}

/**
 * A process waits only for one that has said within `silenceMsMax` that it reads this: a marker that somebody writes is none, and one that
 * somebody puts back is too old, or its process says that it is over.
 */
export function createTurns(
  client: Pick<RedisClient, 'isReady' | 'getRange' | 'set' | 'del'>,
  { peers, seal, now }: TurnsOptions,
): Turns {
  const listeners = new Map<string, Set<Hear>>()
  const own = new Map<string, Turn>()

  peers.on('reading', (value) => {
    const { data } = readingForm.safeParse(value)
    for (const hear of listeners.get(data?.key ?? '') ?? []) if (data !== undefined) hear(data)
  })
  peers.on('reading-awaited', (value) => {
    const { data } = waitingForm.safeParse(value)
    const turn = own.get(data?.key ?? '')
    if (data === undefined || turn === undefined) return
    turn.isAwaited = true
    if (turn.isOver) peers.send('reading', { key: data.key, isDone: true, text: null })
  })

  function listen(key: string): Listener {
    const hearing = listeners.get(key) ?? new Set()
    let heardMs = now()
    let ended: { readonly text: string | null } | null = null
    let check = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    const hear: Hear = ({ isDone, text }) => {
      heardMs = now()
      if (!isDone) return
      ended = { text }
      check()
    }
    const close = () => {
      clearTimeout(timer)
      hearing.delete(hear)
      if (hearing.size === 0) listeners.delete(key)
    }
    listeners.set(key, hearing.add(hear))
    return {
      close,
      wait(untilMs) {
        peers.send('reading-awaited', { key })
        return new Promise((resolve) => {
          check = () => {
            clearTimeout(timer)
            const leftMs = Math.min(heardMs + silenceMsMax, untilMs) - now()
            if (ended === null && leftMs > 0) {
              timer = setTimeout(check, leftMs)
              return
            }
            close()
            resolve(ended?.text ?? null)
          }
          check()
        })
      },
    }
  }

  const newMarker = (key: string) => markerStart + seal.close([markerStart, key], String(now()))

  function isYoungMarker(key: string, text: string): boolean {
    const atMs = isMarker(text) ? seal.open([markerStart, key], text.slice(markerStart.length)) : null
    return atMs !== null && Math.abs(now() - Number(atMs)) < silenceMsMax
  }

  const fetchText = (key: string) => textAt(client, key, fetchBytesMax)
  const isMarker = (text: string) => text.startsWith(markerStart)
  const resultIn = (text: string) => (text === '' || isMarker(text) ? null : text)

  async function look(key: string): Promise<Pick<Claim, 'text'>> {
    return { text: resultIn(await fetchText(key)) }
  }

  async function claim(key: string): Promise<Claim> {
    // If this process dies, its marker expires.
    const expiration = { type: 'PX', value: silenceMsMax } as const
    // In one round trip. A Redis that is full takes no marker, and gives what it has.
    const setting = client.set(key, newMarker(key), { condition: 'NX', expiration }).catch(() => undefined)
    const [reply, text] = await Promise.all([setting, fetchText(key)])
    if (reply === 'OK') return { text: null, isElsewhere: false, end: lead(key) }
    // A marker of this process is of the same read in another form, which has its own answer.
    const isElsewhere = reply === null && isYoungMarker(key, text) && !own.has(key)
    return { text: resultIn(text), isElsewhere, end: () => {} }
  }

  /** A result that this process or another has written there meanwhile stays. */
  async function renewMarker(key: string, turn: Turn): Promise<void> {
    const text = await fetchText(key)
    const options = { condition: 'XX', expiration: { type: 'PX', value: silenceMsMax } } as const
    if (isMarker(text) && !turn.isOver && !turn.hasResult) await client.set(key, newMarker(key), options)
  }

  function lead(key: string): Claim['end'] {
    const turn: Turn = { isAwaited: false, isOver: false, hasResult: false }
    const timer = setInterval(() => {
      peers.send('reading', { key, isDone: false, text: null })
      if (client.isReady) renewMarker(key, turn).catch(() => {})
    }, readingEveryMs)
    own.set(key, turn)
    return (textOf) => {
      clearInterval(timer)
      turn.isOver = true
      setTimeout(() => own.get(key) === turn && own.delete(key), silenceMsMax).unref()
      // By then the result has been written, if it is one that is kept.
      setImmediate(() => {
        if (!turn.hasResult && client.isReady) client.del(key).catch(() => {})
      })
      if (!turn.isAwaited) return
      const text = textOf()
      const isShort = text !== null && text.length <= textCharsMax
      peers.send('reading', { key, isDone: true, text: isShort ? text : null })
    }
  }

  function fill(key: string): void {
    const turn = own.get(key)
    if (turn !== undefined) turn.hasResult = true
  }

  return { listen, claim, look, fill }
}
