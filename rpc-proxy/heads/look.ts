import type { Signal } from '../abort.ts'
import type { Clock } from '../clock.ts'
import type { BlockId } from '../events.ts'
import { createHeaders, type Look } from './headers.ts'
import { createRound } from './round.ts'
import type { Header, Views } from './views.ts'
import { walkBack } from './walk-back.ts'

export type Tag = 'latest' | 'safe' | 'finalized'

/** A voter as a look may ask it. */
interface Candidate {
  readonly voter: number
  readonly usable: boolean
  /** It is due another try. */
  readonly due: boolean
  readonly stallMs: number
}

/** The voters as a look sees them, and what it tells of each. */
export interface LookPorts {
  readonly clock: Clock
  /** Voters in the order in which to ask them. */
  readonly voters: () => readonly Candidate[]
  /** One eth_getBlockByNumber; null for anything that is not a header. */
  readonly look: (voter: number, block: string, signal: Signal) => Promise<Header | null>
  readonly isQuorum: (voters: readonly number[], majority: boolean) => boolean
  /** A voter's operator, by its place in the electorate. */
  readonly operatorOf: (voter: number) => number
  readonly onNodeHead: (voter: number, number: number) => void
  /** This look at a voter was given up after its stall, while others answered. */
  readonly onSilent: (voter: number, signal: Signal) => void
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
  /** When each voter was last asked for its latest block. */
  readonly lastSeenMs: Map<number, number>
  /** Takes in what the look has brought so far. True when it settles the agreed block. */
  readonly admit: (look: Look) => boolean
  readonly agreed: () => { readonly block: BlockId; readonly seenMs: number } | null
  /** There is an agreed block: callers that wait for it go on while the look continues. */
  readonly admitted: () => void
  /** The look has ended with an agreed block; these were asked. */
  readonly looked: (asked: readonly number[]) => void
}

/**
 * One look: asks a quorum and one more voter for their latest block. Where they do not agree, asks everybody, then looks
 * for a lower block that a quorum has.
 */
export async function runLook(
  { tag, deadlineMs, othersEveryMs, walkMax, isAwaited, open }: LookOptions,
  { views, lastSeenMs, admit, agreed, admitted, looked }: Known,
  ports: LookPorts,
): Promise<void> {
  const { clock } = ports
  const ordered = ports.voters()
  const sinceMs = clock.now()
  const isQuorum = (voters: readonly number[]) => ports.isQuorum(voters, tag !== 'latest')
  const stallMsOf = (voter: number) => ordered.find((entry) => entry.voter === voter)?.stallMs ?? 0
  const round = createRound({ deadlineMs, stallMsOf, open }, ports)
  const asked: number[] = []
  const own: Look = {
    headers: createHeaders(),
    asked,
    votersCount: ordered.length,
    heard: new Map(),
    silent: new Set(),
    endMs: sinceMs + deadlineMs,
    isComplete: false,
  }
  const wayBack = { clock, views, isQuorum, admit, walkMax }
  const replies = new Map<number, Promise<void>>()

  /** A block was admitted or confirmed by this look. */
  function isAgreed(): boolean {
    return (agreed()?.seenMs ?? Number.NEGATIVE_INFINITY) >= sinceMs
  }

  /** Late voters may be a quorum. What they show does not end the wait for a head while other voters show another height. */
  function isSettled(): boolean {
    return isAgreed() && (!isAwaited || agreed()?.block.number === Math.max(...own.heard.values()))
  }

  /** Asks a voter for its latest; resolves when it has replied or stalled. Its reply is taken in whenever it comes. */
  function see(voter: number): Promise<void> {
    asked.push(voter)
    if (tag === 'latest') lastSeenMs.set(voter, sinceMs)
    const { header, waited } = round.look(voter, tag)
    const taken = header.then((found) => takeIn(voter, found))
    replies.set(voter, taken)
    return Promise.race([waited, taken])
  }

  function takeIn(voter: number, header: Header | null): void {
    if (header === null) return
    own.heard.set(voter, header.number)
    own.headers.add(voter, header)
    views.of(voter).saw(header)
    if (tag === 'latest') ports.onNodeHead(voter, header.number)
    if (admit(own) && isSettled()) admitted()
  }

  try {
    const isDue = (voter: number) =>
      tag === 'latest' && sinceMs - (lastSeenMs.get(voter) ?? Number.NEGATIVE_INFINITY) >= othersEveryMs
    const { first, others, rest } = inTurn(ordered, isQuorum, isDue)
    const otherLooks = others.map(see)
    await Promise.all(first.map(see))
    if (isSettled()) return
    await Promise.all([...otherLooks, ...rest.map(see)])
    own.isComplete = true
    if (!isAgreed()) admit(own)
    if (isSettled()) return
    await walkBack(own, round, wayBack)
    if (isAgreed()) return admitted()
    // A stalled voter may still reply before the deadline, and nothing else is left to wait for. Nobody waits for voters
    // that have been silent too often.
    await Promise.all(ordered.flatMap(({ voter, usable }) => (usable ? [replies.get(voter)] : [])))
    if (!isAgreed()) await walkBack(own, round, wayBack)
    if (isAgreed()) admitted()
  } finally {
    const isDone = isAgreed()
    round.end(isDone)
    if (isDone) looked(asked)
  }
}

/**
 * The look waits for `first`, a quorum and one voter more. `others` are asked at the same time, `rest` only if the first do not
 * agree.
 */
function inTurn(
  ordered: readonly Candidate[],
  isQuorum: (voters: readonly number[]) => boolean,
  isDue: (voter: number) => boolean,
): Record<'first' | 'others' | 'rest', readonly number[]> {
  const first: number[] = []
  for (const { voter, usable } of ordered) {
    const enough = isQuorum(first)
    // A look does not wait for an extra node that is not usable.
    if (enough && !usable) break
    first.push(voter)
    if (enough) break
  }
  const others: number[] = []
  const rest: number[] = []
  for (const { voter, due } of ordered)
    if (!first.includes(voter)) (due || isDue(voter) ? others : rest).push(voter)
  return { first, others, rest }
}
