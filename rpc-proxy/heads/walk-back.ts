import type { Clock } from '../clock.ts'
import { hexOf } from '../methods/block-ref.ts'
import type { Look } from './headers.ts'
import type { Round } from './round.ts'
import { rankedNumber, type Views } from './views.ts'

interface WayBackPorts {
  readonly clock: Clock
  /** What the voters have shown; what they show on the way is taken in. */
  readonly views: Views
  readonly isQuorum: (voters: readonly number[]) => boolean
  readonly admit: (look: Look) => boolean
  /** How many blocks back it leads at most. */
  readonly walkMax: number
}

/** Looks at the highest number that a quorum has passed, then further and further back, until a quorum shows one hash. */
export async function walkBack(
  own: Look,
  round: Round,
  { clock, views, isQuorum, admit, walkMax }: WayBackPorts,
): Promise<void> {
  const speaking = views.shown().filter(({ voter }) => own.heard.has(voter))
  const ranked = rankedNumber(speaking, isQuorum)
  if (ranked === null) return
  for (let back = 0; back <= walkMax; back = back === 0 ? 1 : back * 2) {
    const number = ranked - back
    if (number < 0 || clock.now() >= own.endMs) return
    const able = views
      .shown()
      .filter(({ voter, view }) => (view.latest()?.number ?? -1) >= number && !own.silent.has(voter))
    const unknown = able.filter(({ view }) => view.hashAt(number) === null)
    await Promise.all(
      unknown.map(({ voter }) => {
        const { header, waited } = round.look(voter, hexOf(number))
        own.silent.add(voter)
        const taken = header.then((found) => {
          own.silent.delete(voter)
          if (found?.number !== number) return
          own.heard.set(voter, Math.max(number, own.heard.get(voter) ?? number))
          own.headers.add(voter, found)
          views.of(voter).looked(found)
        })
        return Promise.race([waited, taken])
      }),
    )
    if (admit(own)) return
  }
}
