import { hexOf } from '../methods/block-ref.ts'
import type { Round } from '../round/round.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import { type Header, rankedNumber, type Views } from './head-views.ts'
import type { PollState } from './headers.ts'

interface WalkBack {
  readonly poll: PollState
  readonly views: Views
  /** How far it goes. */
  readonly walkMax: number
  readonly now: () => number
  readonly send: (
    nodes: readonly NodeIndex[],
    block: string,
    onHeader: (node: NodeIndex, header: Header | null) => void,
  ) => Round<void>
  /** Below this block nothing is looked for. */
  readonly lowest: () => number
  /** Takes in what has come. True when nothing better is to be expected. */
  readonly admit: () => boolean
}

/** Asks for the highest number that a quorum has passed, then further and further back, until a quorum shows one hash. */
export async function walkBack({ poll, views, walkMax, now, send, lowest, admit }: WalkBack): Promise<void> {
  const { heard, silent, headers, endMs } = poll
  const speaking = views.nodeViews().filter(({ node }) => heard.has(node))
  const ranked = rankedNumber(speaking, poll.electorate)
  if (ranked === null) return
  for (let back = 0; back <= walkMax; back = back === 0 ? 1 : back * 2) {
    const number = ranked - back
    if (number < lowest() || now() >= endMs) return
    const nodes = views
      .nodeViews()
      .filter(({ node, view }) => (view.latest()?.number ?? -1) >= number && !silent.has(node))
      .filter(({ view }) => view.hashAt(number) === null)
      .map(({ node }) => node)
    const awaited = new Set(nodes)
    const round = send(nodes, hexOf(number), (node, header) => {
      awaited.delete(node)
      silent.delete(node)
      if (header?.number !== number) return
      heard.set(node, Math.max(number, heard.get(node) ?? number))
      headers.add(node, header)
      views.of(node).showed(header)
    })
    await round.verdict
    for (const node of awaited) silent.add(node)
    if (now() <= endMs && admit()) return
  }
}
