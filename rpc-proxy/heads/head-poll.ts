import type { BlockId } from '../events/events.ts'
import { hexOf } from '../methods/block-ref.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import { isVoterDown } from '../quorum/progress.ts'
import type { Round } from '../round/round.ts'
import { indexesOf, type MemberIndex, type NodeIndex, type OperatorIndex } from '../runtime/indexes.ts'
import { type Header, rankedNumber, type Views } from './head-views.ts'
import { type HeaderPorts, runHeaderRound } from './header-round.ts'
import { createHeaders, type PollState } from './headers.ts'

export type Tag = 'latest' | 'safe' | 'finalized'

/** A node as a poll may ask it. */
export interface PollCandidate {
  readonly node: NodeIndex
  readonly usable: boolean
  /** It is due a probe. */
  readonly due: boolean
  /** Polled only where a voter is unusable, or the voters do not agree. */
  readonly isWitness: boolean
  /** Its state is not `usable`. */
  readonly isDown: boolean
}

export interface HeadPollPorts extends HeaderPorts {
  /** Nodes in the order in which to ask them. */
  readonly nodes: () => readonly PollCandidate[]
  /** Under which a poll begins. */
  readonly policy: 'everyday' | 'protected'
  /** What a quorum takes: final blocks take a majority. */
  readonly electorates: Readonly<Record<Tag, Electorate>>
  /** More than half of voters and witnesses: what a quorum takes while a voter is unusable. Null where polls are not tightened. */
  readonly tightened: Electorate | null
  /** What decides a poll that witnesses and required nodes cannot complete. */
  readonly thin: Readonly<Record<Tag, Electorate>>
  /** Notes the latest block of a node. */
  readonly sawHead: (node: NodeIndex, number: number) => void
}

interface HeadPollOptions {
  readonly tag: Tag
  readonly deadlineMs: number
  readonly othersEveryMs: number
  readonly walkMax: number
  /** The agreed block is too old to be served: callers wait for this poll. */
  readonly isAwaited: boolean
}

/** What is known from poll to poll. */
export interface PollMemory {
  readonly views: Views
  /** When each node was last asked for its latest block. */
  readonly polledMs: Map<NodeIndex, number>
  /** Takes in what a poll has brought so far. True when it settles the agreed block. */
  readonly admit: (poll: PollState) => boolean
  readonly agreed: () => { readonly block: BlockId; readonly seenMs: number } | null
}

/**
 * One poll: asks a quorum and one more node for their latest block. Where they do not agree, asks all nodes, then for a lower
 * block that a quorum has. Replies are taken in whenever they come, until the poll ends.
 */
export class HeadPoll {
  /** Resolves as soon as the poll has settled the agreed block, or when it is released. */
  readonly admitted: Promise<void>
  /** The block that it found is not settled, and the one before it is too old. */
  isAwaited: boolean
  /** Past that, which takes a sleep of the machine, another poll begins. Epoch milliseconds. */
  readonly endMs: number
  readonly #options: HeadPollOptions
  readonly #memory: PollMemory
  readonly #ports: HeadPollPorts
  readonly #sinceMs: number
  readonly #witnesses: readonly PollCandidate[]
  #candidates: readonly PollCandidate[]
  readonly #polled: NodeIndex[] = []
  readonly #poll: PollState
  readonly #rounds: Round<void>[] = []
  #tellAdmitted: () => void = () => {}
  #isOver = false
  #isClosed = false
  /** There is an agreed block. */
  #isDone = false

  constructor(options: HeadPollOptions, memory: PollMemory, ports: HeadPollPorts) {
    this.#options = options
    this.isAwaited = options.isAwaited
    this.#memory = memory
    this.#ports = ports
    const nodes = ports.nodes()
    this.#candidates = nodes.filter(({ isWitness }) => !isWitness)
    this.#witnesses = nodes.filter(({ isWitness }) => isWitness)
    this.#sinceMs = ports.clock.now()
    this.endMs = this.#sinceMs + options.deadlineMs
    this.#poll = {
      electorate: ports.electorates[options.tag],
      policy: ports.policy,
      isThin: false,
      headers: createHeaders(),
      polled: this.#polled,
      nodesCount: this.#candidates.length,
      heard: new Map(),
      silent: new Set(),
      endMs: this.endMs,
      isComplete: false,
    }
    const { operatorOf } = this.#poll.electorate
    if (isVoterDown(nodes.map((each) => ({ ...each, operator: operatorOf[each.node] as OperatorIndex }))))
      this.#tighten()
    this.admitted = new Promise((resolve) => {
      this.#tellAdmitted = resolve
    })
  }

  /** The nodes that were asked, where there is an agreed block; else null. */
  async run(): Promise<readonly NodeIndex[] | null> {
    try {
      await this.#search()
    } finally {
      this.#isOver = true
      this.#isDone = this.#isAgreed()
      // Stalled requests are given up now, the others when they stall.
      for (const round of this.#rounds) round.keep('until-stalled')
    }
    return this.#isDone ? this.#polled : null
  }

  /** Lets those go on who wait for an agreed block. */
  release(): void {
    this.#tellAdmitted()
  }

  /** Resolves when no request of it is in flight any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#rounds.map((round) => round.ended()))
  }

  close(): void {
    this.#isClosed = true
    for (const round of this.#rounds) round.close()
  }

  async #search(): Promise<void> {
    const { first, others, rest } = this.#inTurn()
    const otherRound = this.#pollLatest(others)
    const firstRound = this.#pollLatest(first)
    await firstRound.verdict
    if (this.#isSettled()) return
    const restRound = this.#pollLatest(rest)
    await Promise.all([otherRound.verdict, restRound.verdict])
    this.#poll.isComplete = true
    if (!this.#isAgreed()) this.#memory.admit(this.#poll)
    if (this.#isSettled()) return
    await this.#walkBack()
    if (!this.#isAgreed() && this.#poll.policy === 'everyday') await this.#pollWitnesses()
    if (!this.#isAgreed() && this.#poll.policy === 'tightened') await this.#fallBack()
    if (this.#isAgreed()) return this.#settle()
    if (this.#poll.policy === 'protected') return
    // A stalled node may still reply before the deadline, and nothing else is left to wait for. Unusable nodes are not waited for.
    await Promise.all([
      firstRound.ended(this.#usableOf(first)),
      otherRound.ended(this.#usableOf(others)),
      restRound.ended(this.#usableOf(rest)),
    ])
    if (!this.#isAgreed()) await this.#walkBack()
    if (this.#isAgreed()) this.#settle()
  }

  /** From now on a head takes more than half of voters and witnesses. */
  #tighten(): void {
    const { tightened } = this.#ports
    if (tightened === null) return
    this.#poll.policy = 'tightened'
    this.#poll.electorate = tightened
    this.#candidates = [...this.#candidates, ...this.#witnesses]
    this.#poll.nodesCount = this.#candidates.length
  }

  async #pollWitnesses(): Promise<void> {
    if (this.#ports.tightened === null || this.#options.tag !== 'latest') return
    this.#tighten()
    this.#poll.isComplete = false
    await this.#pollLatest(this.#witnesses.map(({ node }) => node)).verdict
    this.#poll.isComplete = true
    if (!this.#isAgreed()) this.#memory.admit(this.#poll)
    if (!this.#isAgreed()) await this.#walkBack()
  }

  /** Too few witnesses reply: what the voters agree on by the everyday rule becomes a thin head. */
  async #fallBack(): Promise<void> {
    this.#poll.electorate = this.#ports.thin[this.#options.tag]
    this.#poll.isThin = true
    this.#memory.admit(this.#poll)
    if (!this.#isAgreed()) await this.#walkBack()
  }

  /** Asks for the highest number that a quorum has passed, then further and further back, until a quorum shows one hash. */
  async #walkBack(): Promise<void> {
    const { heard, silent, headers, endMs } = this.#poll
    const { views, admit } = this.#memory
    const speaking = views.nodeViews().filter(({ node }) => heard.has(node))
    const ranked = rankedNumber(speaking, this.#poll.electorate)
    if (ranked === null) return
    for (let back = 0; back <= this.#options.walkMax; back = back === 0 ? 1 : back * 2) {
      const number = ranked - back
      if (number < 0 || this.#ports.clock.now() >= endMs) return
      const able = views
        .nodeViews()
        .filter(({ node, view }) => (view.latest()?.number ?? -1) >= number && !silent.has(node))
      const nodes = able.filter(({ view }) => view.hashAt(number) === null).map(({ node }) => node)
      for (const node of nodes) silent.add(node)
      const round = this.#sendHeader(nodes, hexOf(number), (node, header) => {
        silent.delete(node)
        if (header?.number !== number) return
        heard.set(node, Math.max(number, heard.get(node) ?? number))
        headers.add(node, header)
        views.of(node).showed(header)
      })
      await round.verdict
      if (this.#ports.clock.now() <= endMs && admit(this.#poll)) return
    }
  }

  #pollLatest(nodes: readonly NodeIndex[]): Round<void> {
    const { tag } = this.#options
    for (const node of nodes) {
      this.#polled.push(node)
      if (tag === 'latest') this.#memory.polledMs.set(node, this.#sinceMs)
    }
    return this.#sendHeader(nodes, tag, (node, header) => {
      // After a sleep of the machine, a reply may be from before it.
      if (header === null || this.#ports.clock.now() > this.endMs) return
      this.#poll.heard.set(node, header.number)
      this.#poll.headers.add(node, header)
      this.#memory.views.of(node).saw(header)
      if (tag === 'latest') this.#ports.sawHead(node, header.number)
      this.#admit()
    })
  }

  #sendHeader(
    nodes: readonly NodeIndex[],
    block: string,
    take: (node: NodeIndex, header: Header | null) => void,
  ): Round<void> {
    const round = runHeaderRound(
      {
        nodes: this.#isClosed ? [] : nodes,
        block,
        deadlineMs: this.#options.deadlineMs,
        until: 'replied-or-stalled',
        take,
        isWanted: () => !this.#isOver,
        blames: () => this.#isDone,
      },
      this.#ports,
    )
    this.#rounds.push(round)
    return round
  }

  #admit(): void {
    if (this.#memory.admit(this.#poll) && this.#isSettled()) this.#settle()
  }

  #isAgreed(): boolean {
    return (this.#memory.agreed()?.seenMs ?? Number.NEGATIVE_INFINITY) >= this.#sinceMs
  }

  /** Late nodes may be a quorum. What they show does not end the wait for a head while other nodes show another height. */
  #isSettled(): boolean {
    const highest = () => Math.max(...this.#poll.heard.values())
    return this.#isAgreed() && (!this.#options.isAwaited || this.#memory.agreed()?.block.number === highest())
  }

  #settle(): void {
    this.isAwaited = false
    this.#tellAdmitted()
  }

  #usableOf(nodes: readonly NodeIndex[]): readonly MemberIndex[] {
    const isUsable = (node: NodeIndex) => this.#candidates.some((each) => each.node === node && each.usable)
    return indexesOf<MemberIndex>(nodes).filter((member) => isUsable(nodes[member] as NodeIndex))
  }

  /**
   * The poll waits for `first`, a quorum and one node more. `others` are asked at the same time, `rest` only if the first do not
   * agree.
   */
  #inTurn(): Record<'first' | 'others' | 'rest', readonly NodeIndex[]> {
    const first: NodeIndex[] = []
    for (const { node, usable } of this.#candidates) {
      const isEnough = isQuorum(this.#poll.electorate, operatorsOfNodes(this.#poll.electorate, first))
      // A poll does not wait for an extra node that is not usable.
      if (isEnough && !usable) break
      first.push(node)
      if (isEnough) break
    }
    const others: NodeIndex[] = []
    const rest: NodeIndex[] = []
    for (const { node, due } of this.#candidates)
      if (!first.includes(node)) (due || this.#isLongUnpolled(node) ? others : rest).push(node)
    return { first, others, rest }
  }

  #isLongUnpolled(node: NodeIndex): boolean {
    const { tag, othersEveryMs } = this.#options
    const polledMs = this.#memory.polledMs.get(node) ?? Number.NEGATIVE_INFINITY
    return tag === 'latest' && this.#sinceMs - polledMs >= othersEveryMs
  }
}
