import type { Ready } from './tally.ts'

/** Answers longer than this, in characters, are read ahead of their vote. */
const longChars = 1 << 18

export interface LongAnswers {
  /** Resolves when these bytes have been read; null when there is nothing to wait for. */
  readonly reading: (raw: string) => Promise<void> | null
  readonly readyFor: (raw: string) => Ready | undefined
}

/** Reads long answers without holding up everybody else, each by its own bytes and once. */
export function createLongAnswers(readAhead: (raw: string) => Promise<Ready | null>): LongAnswers {
  const known: { readonly raw: string; readonly done: Promise<void>; ready: Ready | undefined }[] = []
  const find = (raw: string) => known.find((each) => each.raw === raw)

  function begin(raw: string): Promise<void> {
    const done = readAhead(raw).then((ready) => {
      each.ready = ready ?? unreadable
    })
    const each = { raw, done, ready: undefined as Ready | undefined }
    known.push(each)
    return done
  }

  return {
    reading(raw) {
      if (raw.length <= longChars) return null
      const each = find(raw)
      if (each === undefined) return begin(raw)
      return each.ready === undefined ? each.done : null
    },
    readyFor: (raw) => (raw.length <= longChars ? undefined : find(raw)?.ready),
  }
}

const unreadable: Ready = { value: null, text: null }
