import { createHmac, timingSafeEqual } from 'node:crypto'
import { parseJson } from '../parse-json.ts'
import { prefix } from '../public-names.ts'
import type { RedisLink } from './redis-client.ts'

/** Kinds of what is kept in Redis, and what goes through it. */
export const storedKinds = ['session', 'history', 'usage', 'scorecard'] as const
type Kind = (typeof storedKinds)[number] | 'message'

export type Seal = ReturnType<typeof createSeal>

/** What stores in Redis have in common. */
export interface StoreOptions {
  readonly redis: RedisLink
  readonly seal: Seal
  readonly now: () => number
}

/** A store that writes by itself, now and then. */
export interface RunningStore {
  /** Stores what is left. */
  readonly close: () => Promise<void>
}

const macChars = 43

/**
 * Seals what goes through Redis, so that who can write to Redis can make us slower and never wrong: a value opens only under the kind and
 * key that it was sealed for, by a process with the same SESSION_SECRET. `onForged` is called for each that does not.
 */
export function createSeal(secret: string, onForged: (kind: Kind) => void = () => {}) {
  const key = createHmac('sha256', secret).update(`${prefix} shared state`).digest()
  const macOf = (kind: Kind, place: string, text: string) =>
    createHmac('sha256', key)
      .update(`${JSON.stringify([kind, place])}\n${text}`)
      .digest('base64url')
  return {
    close(kind: Kind, place: string, value: unknown): string {
      const text = JSON.stringify(value)
      return macOf(kind, place, text) + text
    },
    /** Undefined where it was not sealed for this place. */
    open(kind: Kind, place: string, sealed: string): unknown {
      const text = sealed.slice(macChars)
      const given = Buffer.from(sealed.slice(0, macChars))
      const wanted = Buffer.from(macOf(kind, place, text))
      if (given.length === wanted.length && timingSafeEqual(given, wanted)) return parseJson(text)
      onForged(kind)
      return undefined
    },
  }
}
