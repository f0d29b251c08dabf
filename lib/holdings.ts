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

/**
 * Something of which there is only so much, in shares: a caller that holds its own is refused, so that it cannot take what is
 * there for others, and where many callers hold all there is, what has been held longest gives way to what is new. What is
 * slow is then lost before what is quick.
 */
export function createHoldings(
  { perCallerMax, max }: Shares,
  met: (which: 'own' | 'all') => void = () => {},
): Holdings {
  const byCaller = new Map<string, number>()
  /** In the order in which they were taken. */
  const open = new Map<object, () => void>()
  let all = 0

  function add(key: string | null, amount: number): void {
    all += amount
    if (key === null) return
    const own = (byCaller.get(key) ?? 0) + amount
    if (own > 0) byCaller.set(key, own)
    else byCaller.delete(key)
  }

  function makeRoom(amount: number): void {
    for (const cutOldest of open.values()) {
      if (all + amount <= max) return
      met('all')
      cutOldest()
    }
  }

  return {
    held: () => all,
    hold(amount, caller, cut) {
      const key = caller === null ? null : callerKey(caller)
      const own = key === null ? 0 : (byCaller.get(key) ?? 0)
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
          open.delete(hold)
          hold.give(left)
        },
      }
      open.set(hold, () => {
        hold.end()
        cut()
      })
      return hold
    },
  }
}
