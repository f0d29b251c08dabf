import { callerKey } from '#rpc-proxy'

/** What one taker holds. */
export interface Hold {
  /** Gives back a part. */
  readonly give: (amount: number) => void
  /** Gives back all of it; calling it again does nothing. */
  readonly end: () => void
}

export interface Holdings {
  /**
   * Takes an amount for a caller, null where callers cannot be told apart. Null where the caller would hold more than its
   * share; an amount above a whole share is granted to a caller that holds nothing. Where all together would hold too much, the
   * oldest holds are ended and `cut` of each is called.
   */
  readonly hold: (amount: number, caller: string | null, cut: () => void) => Hold | null
  /** What is held now. */
  readonly held: () => number
}

export interface Shares {
  readonly perCallerMax: number
  readonly max: number
}

interface Taken {
  /** Ends the hold and tells its holder; null once it has ended. */
  cut: (() => void) | null
}

/**
 * Something of which there is only so much, in shares: a caller that holds its own is refused, so that it cannot take what is
 * there for others, and where many callers hold all there is, what has been held longest gives way to what is new. What is
 * slow is then lost before what is quick.
 */
export function createHoldings(
  { perCallerMax, max }: Shares,
  met: (which: 'own' | 'all') => void = () => {},
): Holdings {
  // No Map and no Set: rpc-proxy/dictionary.ts says what they would cost here.
  const byCaller: Record<string, number> = Object.create(null)
  /** In the order in which they were taken; those that have ended are removed when they are most of them. */
  let taken: Taken[] = []
  let endedCount = 0
  let all = 0

  function add(key: string | null, amount: number): void {
    all += amount
    if (key === null) return
    const own = (byCaller[key] ?? 0) + amount
    if (own > 0) byCaller[key] = own
    else delete byCaller[key]
  }

  function makeRoom(amount: number): void {
    if (all + amount <= max) return
    for (const { cut } of taken) {
      if (cut === null) continue
      if (all + amount <= max) return
      met('all')
      cut()
    }
  }

  function end(entry: Taken): void {
    entry.cut = null
    endedCount++
    if (endedCount <= 32 + taken.length / 2) return
    taken = taken.filter(({ cut }) => cut !== null)
    endedCount = 0
  }

  return {
    held: () => all,
    hold(amount, caller, cut) {
      const key = caller === null ? null : callerKey(caller)
      const own = key === null ? 0 : (byCaller[key] ?? 0)
      if (own > 0 && own + amount > perCallerMax) {
        met('own')
        return null
      }
      makeRoom(amount)
      add(key, amount)
      let left = amount
      const hold: Hold = {
        give(part) {
          const given = Math.min(part, left)
          left -= given
          add(key, -given)
        },
        end() {
          if (entry.cut !== null) end(entry)
          hold.give(left)
        },
      }
      const entry: Taken = {
        cut() {
          hold.end()
          cut()
        },
      }
      taken.push(entry)
      return hold
    },
  }
}
