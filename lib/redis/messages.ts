import { z } from 'zod'
import type { Seal } from './sealed-values.ts'

/** What a replica says to the others. */
export interface Message {
  readonly kind: string
  readonly value: unknown
}

/** Why what came through Redis was dropped: not sealed by us, seen before, too old or from a clock that is wrong, of another form. */
export type DropReason = 'forged' | 'replayed' | 'aged' | 'malformed'

/** Messages of this age are dropped, and so clocks may differ by as much. */
const ageMsMax = 10_000
const sendersMax = 1000
/** No message is longer; a longer one is not looked at. */
const messageCharsMax = 4 * 1024 * 1024

const envelope = z.object({
  from: z.string(),
  /** Counts the sender's messages. */
  count: z.int(),
  atMs: z.number(),
  kind: z.string(),
  value: z.unknown(),
})

/** `name` is this process's alone, and never used again. Every message counts once, whoever repeats it. */
export function createMessages(
  name: string,
  { channel, seal, now }: { readonly channel: string; readonly seal: Seal; readonly now: () => number },
) {
  /** By sender, the last one that was heard at the end. */
  const last = new Map<string, { readonly count: number; readonly atMs: number }>()
  let count = 0

  return {
    write({ kind, value }: Message): string {
      count += 1
      return seal.close('message', channel, { from: name, count, atMs: now(), kind, value })
    },
    /** What another replica wrote; null for what this one did. */
    read(sealed: string): Message | DropReason | null {
      const opened = sealed.length > messageCharsMax ? undefined : seal.open('message', channel, sealed)
      if (opened === undefined) return 'forged'
      const { data } = envelope.safeParse(opened)
      if (data === undefined) return 'malformed'
      if (data.from === name) return null
      if (Math.abs(now() - data.atMs) > ageMsMax) return 'aged'
      if (data.count <= (last.get(data.from)?.count ?? 0)) return 'replayed'
      last.delete(data.from)
      last.set(data.from, { count: data.count, atMs: data.atMs })
      // A sender's last number is needed only while its messages are young enough to be taken.
      for (const [from, { atMs }] of last)
        if (last.size > sendersMax || now() - atMs > 2 * ageMsMax) last.delete(from)
        else break
      return { kind: data.kind, value: data.value }
    },
  }
}
