import type { Clock } from '../clock.ts'
import { hexOf } from '../methods/block-ref.ts'
import type { Electorate } from '../quorum/electorate.ts'
import type { Look } from './headers.ts'
import type { Round } from './round.ts'
import { rankedNumber, type Views } from './views.ts'

interface WayBackPorts {
  readonly clock: Clock
  /** What the nodes have shown; what they show on the way is taken in. */
  readonly views: Views
  readonly electorate: Electorate
  readonly admit: (look: Look) => boolean
  /** How many blocks back it leads at most. */
  readonly walkMax: number
}

/** Looks at the highest number that a quorum has passed, then further and further back, until a quorum shows one hash. */
export async function walkBack(
  own: Look,
  round: Round,
  { clock, views, electorate, admit, walkMax }: WayBackPorts,
): Promise<void> {
  const speaking = views.shown().filter(({ node }) => own.heard.has(node))
  const ranked = rankedNumber(speaking, electorate)
  if (ranked === null) return
  for (let back = 0; back <= walkMax; back = back === 0 ? 1 : back * 2) {
    const number = ranked - back
    if (number < 0 || clock.now() >= own.endMs) return
    const able = views
      .shown()
      .filter(({ node, view }) => (view.latest()?.number ?? -1) >= number && !own.silent.has(node))
    const unknown = able.filter(({ view }) => view.hashAt(number) === null)
    await Promise.all(
      unknown.map(({ node }) => {
        const { header, waited } = round.look(node, hexOf(number))
        own.silent.add(node)
        const taken = header.then((found) => {
          own.silent.delete(node)
          if (found?.number !== number) return
          own.heard.set(node, Math.max(number, own.heard.get(node) ?? number))
          own.headers.add(node, found)
          views.of(node).looked(found)
        })
        return Promise.race([waited, taken])
      }),
    )
    if (clock.now() <= own.endMs && admit(own)) return
  }
}
