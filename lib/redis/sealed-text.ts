import { createHmac, timingSafeEqual } from 'node:crypto'
import { prefix } from '../public-names.ts'

/**
 * Seals what goes through Redis, so that who can write to Redis can make us slower and never wrong: a text opens only for the place
 * that it was sealed for, by a process with the same SESSION_SECRET. A place is a kind and whatever else the text must be about.
 */
export interface Seal {
  readonly close: (place: readonly string[], text: string) => string
  /** Null where the text was not sealed for this place. */
  readonly open: (place: readonly string[], sealed: string) => string | null
}

const macChars = 43

export function createSeal(secret: string): Seal {
  const key = createHmac('sha256', secret).update(`${prefix} shared state`).digest()
  const macOf = (place: readonly string[], text: string) =>
    createHmac('sha256', key)
      .update(`${JSON.stringify(place)}\n${text}`)
      .digest('base64url')
  return {
    close: (place, text) => macOf(place, text) + text,
    open(place, sealed) {
      const text = sealed.slice(macChars)
      const given = Buffer.from(sealed.slice(0, macChars))
      const wanted = Buffer.from(macOf(place, text))
      return given.length === wanted.length && timingSafeEqual(given, wanted) ? text : null
    },
  }
}
