import type { Signal } from '../abort.ts'
import type { Clock } from '../clock.ts'
import type { BlockId } from '../events.ts'
import type { NodeIndex } from '../indexes.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import { createHeaders, type Look } from './headers.ts'
import { createRound } from './round.ts'
import type { Header, Views } from './views.ts'
import { walkBack } from './walk-back.ts'

export type Tag = 'latest' | 'safe' | 'finalized'

/** A node as a look may ask it. */
interface Candidate {
  readonly node: NodeIndex
  readonly usable: boolean
  /** It is due another try. */
  readonly due: boolean
  readonly stallMs: number
}

/** The nodes as a look sees them, and what it tells of each. */
export interface LookPorts {
  readonly clock: Clock
  /** Nodes in the order in which to ask them. */
  readonly nodes: () => readonly Candidate[]
  /** One eth_getBlockByNumber; null for anything that is not a header. */
  readonly look: (node: NodeIndex, block: string, signal: Signal) => Promise<Header | null>
  /** What a quorum takes: final blocks take a majority. */
  readonly electorates: Readonly<Record<Tag, Electorate>>
  readonly onNodeHead: (node: NodeIndex, number: number) => void
  /** This look at a node was given up after its stall, while others answered. */
  readonly onSilent: (node: NodeIndex, signal: Signal) => void
}

interface LookOptions {
  readonly tag: Tag
  readonly deadlineMs: number
  readonly othersEveryMs: number
  readonly walkMax: number
  /** The agreed block is too old to be served: callers wait for this look. */
  readonly isAwaited: boolean
  /** Gives up one ask each. */
  readonly open: Set<() => void>
}

/** What is known from look to look, and what a look may change of it. */
interface Known {
  readonly views: Views
  /** When each node was last asked for its latest block. */
  readonly lastSeenMs: Map<NodeIndex, number>
  /** Takes in what the look has brought so far. True when it settles the agreed block. */
  readonly admit: (look: Look) => boolean
  readonly agreed: () => { readonly block: BlockId; readonly seenMs: number } | null
  /** There is an agreed block: callers that wait for it go on while the look continues. */
  readonly admitted: () => void
  /** The look has ended with an agreed block; these were asked. */
  readonly looked: (asked: readonly NodeIndex[]) => void
}

/**
 * One look: asks a quorum and one more node for their latest block. Where they do not agree, asks everybody, then looks
 * for a lower block that a quorum has.
 */
export async function runLook(
  { tag, deadlineMs, othersEveryMs, walkMax, isAwaited, open }: LookOptions,
  { views, lastSeenMs, admit, agreed, admitted, looked }: Known,
  ports: LookPorts,
): Promise<void> {
  const { clock } = ports
  const ordered = ports.nodes()
  const sinceMs = clock.now()
  const electorate = ports.electorates[tag]
  const stallMsOf = (node: NodeIndex) => ordered.find((entry) => entry.node === node)?.stallMs ?? 0
  const round = createRound({ deadlineMs, stallMsOf, open }, ports)
  const asked: NodeIndex[] = []
  const own: Look = {
    headers: createHeaders(),
    asked,
    nodesCount: ordered.length,
    heard: new Map(),
    silent: new Set(),
    endMs: sinceMs + deadlineMs,
    isComplete: false,
  }
  const wayBack = { clock, views, electorate, admit, walkMax }
  const replies = new Map<NodeIndex, Promise<void>>()

  /** A block was admitted or confirmed by this look. */
  function isAgreed(): boolean {
    return (agreed()?.seenMs ?? Number.NEGATIVE_INFINITY) >= sinceMs
  }

  /** Late nodes may be a quorum. What they show does not end the wait for a head while other nodes show another height. */
  function isSettled(): boolean {
    return isAgreed() && (!isAwaited || agreed()?.block.number === Math.max(...own.heard.values()))
  }

  /** Asks a node for its latest; resolves when it has replied or stalled. Its reply is taken in whenever it comes. */
  function see(node: NodeIndex): Promise<void> {
    asked.push(node)
    if (tag === 'latest') lastSeenMs.set(node, sinceMs)
    const { header, waited } = round.look(node, tag)
    const taken = header.then((found) => takeIn(node, found))
    replies.set(node, taken)
    return Promise.race([waited, taken])
  }

  function takeIn(node: NodeIndex, header: Header | null): void {
    // After a sleep of the machine, a reply may be from before it.
    if (header === null || clock.now() > own.endMs) return
    own.heard.set(node, header.number)
    own.headers.add(node, header)
    views.of(node).saw(header)
    if (tag === 'latest') ports.onNodeHead(node, header.number)
    if (admit(own) && isSettled()) admitted()
  }

  try {
    const isDue = (node: NodeIndex) =>
      tag === 'latest' && sinceMs - (lastSeenMs.get(node) ?? Number.NEGATIVE_INFINITY) >= othersEveryMs
    const { first, others, rest } = inTurn(ordered, electorate, isDue)
    const otherLooks = others.map(see)
    await Promise.all(first.map(see))
    if (isSettled()) return
    await Promise.all([...otherLooks, ...rest.map(see)])
    own.isComplete = true
    if (!isAgreed()) admit(own)
    if (isSettled()) return
    await walkBack(own, round, wayBack)
    if (isAgreed()) return admitted()
    // A stalled node may still reply before the deadline, and nothing else is left to wait for. Nobody waits for nodes
    // that have been silent too often.
    await Promise.all(ordered.flatMap(({ node, usable }) => (usable ? [replies.get(node)] : [])))
    if (!isAgreed()) await walkBack(own, round, wayBack)
    if (isAgreed()) admitted()
  } finally {
    const isDone = isAgreed()
    round.end(isDone)
    if (isDone) looked(asked)
  }
}

/**
 * The look waits for `first`, a quorum and one node more. `others` are asked at the same time, `rest` only if the first do not
 * agree.
 */
function inTurn(
  ordered: readonly Candidate[],
  electorate: Electorate,
  isDue: (node: NodeIndex) => boolean,
): Record<'first' | 'others' | 'rest', readonly NodeIndex[]> {
  const first: NodeIndex[] = []
  for (const { node, usable } of ordered) {
    const enough = isQuorum(electorate, operatorsOfNodes(electorate, first))
    // A look does not wait for an extra node that is not usable.
    if (enough && !usable) break
    first.push(node)
    if (enough) break
  }
  const others: NodeIndex[] = []
  const rest: NodeIndex[] = []
  for (const { node, due } of ordered)
    if (!first.includes(node)) (due || isDue(node) ? others : rest).push(node)
  return { first, others, rest }
}
