import type { Cancel, Clock } from '../runtime/clock.ts'

/** Who waits for a head polls this often. */
const pollAgainMs = 100

interface ReachPorts {
  readonly clock: Clock
  /** The head's number; -1 before there is one. */
  readonly height: () => number
  /** Polls now; resolves when the poll has ended. */
  readonly poll: () => Promise<void>
}

export interface Reach {
  /** Waits until the head has reached `number`, at most `ms`; polls again and again meanwhile. */
  readonly reach: (number: number, ms: number) => Promise<boolean>
  /** The head has moved. */
  readonly moved: () => void
}

/** Those who wait for a head that has not come yet. */
export function createReach({ clock, height, poll }: ReachPorts): Reach {
  const waiting = new Set<{ number: number; reached: () => void }>()

  return {
    reach(number, ms) {
      if (height() >= number) return Promise.resolve(true)
      return new Promise((resolve) => {
        let cancelNext: Cancel = () => {}
        const finish = (isReached: boolean) => {
          waiting.delete(waiter)
          cancelEnd()
          cancelNext()
          resolve(isReached)
        }
        const waiter = { number, reached: () => finish(true) }
        const cancelEnd = clock.after(ms, () => finish(false))
        waiting.add(waiter)
        const pollAgain = () => {
          void poll().then(() => {
            if (waiting.has(waiter)) cancelNext = clock.after(pollAgainMs, pollAgain)
          })
        }
        pollAgain()
      })
    },
    moved() {
      for (const waiter of [...waiting]) if (height() >= waiter.number) waiter.reached()
    },
  }
}
