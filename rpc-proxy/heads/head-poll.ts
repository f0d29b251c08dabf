import { hexOf } from '../methods/block-ref.ts'
import { type Electorate, isQuorum, operatorsOfNodes } from '../quorum/electorate.ts'
import { nextStep, type PolicyStep, startingPolicy, undecided } from '../quorum/policy.ts'
import type { Cancel } from '../runtime/clock.ts'
import type { NodeIndex } from '../runtime/indexes.ts'
import type { HeadAgreement } from './agreement.ts'
import { walkMax } from './head-decision.ts'
import { type Header, type HeadViews, rankedNumber, type Tag } from './head-views.ts'
import { promptMsMax } from './header-replies.ts'
import { type HeaderPorts, HeaderRound } from './header-round.ts'
import {
  inTurn,
  isVoterMissing,
  isVoterOutvoted,
  type PollCandidate,
  usableFirst,
  withFailures,
} from './poll-order.ts'
import { createHeaders, type PollState } from './poll-state.ts'

export interface HeadPollPorts extends HeaderPorts {
  /** Nodes in the order in which to ask them. */
  readonly nodes: () => readonly PollCandidate[]
  readonly policy: 'everyday' | 'protected'
  /** What a quorum takes: final blocks take a majority. */
  readonly electorates: Readonly<Record<Tag, Electorate>>
  /** More than half of voters and witnesses: what a quorum takes while a voter is unusable. Null where polls are not tightened. */
  readonly tightened: Electorate | null
  /** What decides a poll that witnesses and required nodes cannot complete. */
  readonly degraded: Readonly<Record<Tag, Electorate>>
  readonly sawHead: (node: NodeIndex, number: number) => void
}

/** While too few nodes reply, the others are asked again so often. */
const repollMs = 1000
/** Nodes that the poll did not need are polled this often, so that those which stand still are noticed. */
const othersEveryMs = 10_000

interface HeadPollOptions {
  readonly tag: Tag
  readonly deadlineMs: number
  /** The agreed block is too old to be served: callers wait for this poll. */
  readonly isAwaited: boolean
  /** The highest block that a node shows is waited for, until this is false: the others are asked for it too. */
  readonly wantsHighest: () => boolean
}

/** What is known from poll to poll. */
interface PollMemory {
  readonly agreement: HeadAgreement
  readonly polledMs: Map<NodeIndex, number>
  /** Takes in what a poll has brought so far. True when it settles the agreed block. */
  readonly admit: (poll: PollState) => boolean
}

/**
 * One poll: asks a quorum and one more node for their latest block. Where they do not agree, asks all nodes, then for a lower
 * block that a quorum has. Replies are taken in whenever they come, until the poll ends.
 */
export class HeadPoll {
  /** Resolves as soon as the poll has settled the agreed block, or when it is released. */
  readonly admitted: Promise<void>
  /** Epoch milliseconds. */
  readonly startMs: number
  readonly #options: HeadPollOptions
  readonly #memory: PollMemory
  readonly #agreement: HeadAgreement
  readonly #views: HeadViews
  readonly #ports: HeadPollPorts
  readonly #witnesses: readonly PollCandidate[]
  #candidates: readonly PollCandidate[]
  readonly #polled: NodeIndex[] = []
  /** Asked for the block of the tag, and without a reply so far. */
  readonly #unheard = new Set<NodeIndex>()
  readonly #poll: PollState
  readonly #rounds: HeaderRound[] = []
  /** Rounds in which nodes are asked for the first time. */
  readonly #firstRounds: HeaderRound[] = []
  #isReleased = false
  #tellAdmitted: () => void = () => {}
  #cancelNext: Cancel = () => {}
  #isWalking = false
  /** Set once only nodes are left to wait for that have stalled; called at each of their replies. */
  #wake: (() => void) | null = null
  #isOver = false
  #isClosed = false
  /** It is over, and has found one. */
  #isDone = false

  constructor(options: HeadPollOptions, memory: PollMemory, ports: HeadPollPorts) {
    this.#options = options
    this.#memory = memory
    this.#agreement = memory.agreement
    this.#views = memory.agreement.views(options.tag)
    this.#ports = ports
    const { replies } = ports
    const nodes = withFailures(ports.nodes(), replies.isFailing)
    // A late node may hang, and the block that somebody waits for is at another.
    const prompt = nodes.toSorted((a, b) => Number(replies.isLate(a.node)) - Number(replies.isLate(b.node)))
    this.#candidates = usableFirst(prompt.filter(({ isWitness }) => !isWitness))
    this.#witnesses = nodes.filter(({ isWitness }) => isWitness)
    this.startMs = ports.clock.now()
    this.#poll = {
      electorate: ports.electorates[options.tag],
      policy: ports.policy,
      isThin: false,
      headers: createHeaders(),
      polled: this.#polled,
      nodesCount: this.#candidates.length,
      witnesses: this.#witnesses.map(({ node }) => node),
      heard: new Map(),
      silent: new Set(),
      sinceMs: this.startMs,
      endMs: this.startMs + options.deadlineMs,
      isComplete: false,
      isAgreed: false,
    }
    const agreed = this.#agreement.of(options.tag)?.block ?? null
    this.#tightenIf(isVoterOutvoted(nodes, this.#views.nodeViews(), agreed))
    this.#tightenIfVoterDown()
    this.admitted = new Promise((resolve) => {
      this.#tellAdmitted = resolve
    })
  }

  /** The nodes that were asked, where there is an agreed block; else null. */
  async run(): Promise<readonly NodeIndex[] | null> {
    this.#pollAgain(this.startMs)
    try {
      await this.#search()
    } finally {
      this.#isOver = true
      this.#isDone = this.#poll.isAgreed
      // Stalled requests are given up now, the others when they stall.
      for (const round of this.#rounds) round.listenTo('until-stalled')
    }
    return this.#isDone ? this.#polled : null
  }

  /** It has settled the agreed block, and may still wait for other nodes. */
  get isReleased(): boolean {
    return this.#isReleased || this.#isSettled()
  }

  /** Whether calls wait for this poll: the block it found is not settled, and the previous head is too old. */
  get isAwaited(): boolean {
    return this.#options.isAwaited && !this.isReleased
  }

  /** Lets those go on who wait for an agreed block. */
  release(): void {
    this.#isReleased = true
    this.#cancelNext()
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
    const { first, others } = inTurn(this.#candidates, this.#poll.electorate, {
      isLate: (node) => this.#ports.replies.isLate(node),
      isLongUnpolled: this.#isLongUnpolled,
    })
    this.#pollLatest(others)
    await this.#heard(this.#pollLatest(first))
    this.#tightenIfVoterDown()
    if (this.#isSettled() && !this.#isApart()) return
    this.#pollLatest(this.#unpolled())
    await Promise.all(this.#firstRounds.map((round) => this.#heard(round)))
    this.#tightenIfVoterDown()
    this.#tightenIf(this.#isApart())
    await this.#pollUnpolled()
    const { tag } = this.#options
    const isPassed = this.#agreement.isPassed(tag)
    if (this.#isSettled() && !isPassed) return
    this.#isWalking = true
    await this.#walkBack()
    if (isPassed) this.#agreement.clearHeights(tag)
    if (this.#nextStep() === 'tighten') {
      this.#tightenIf(true)
      await this.#pollUnpolled()
      if (!this.#poll.isAgreed) await this.#walkBack()
    }
    const step = this.#nextStep()
    if (step === 'degrade') await this.#degrade()
    if (this.#poll.isAgreed || step === 'fail') return
    // A stalled node may still reply before the deadline, unless it is unusable or has been silent for as long already.
    const mayReply = ({ node, isUsable }: PollCandidate) =>
      isUsable && !this.#ports.replies.isLate(node, this.#options.deadlineMs)
    const late = this.#ports.nodes().flatMap((each) => (mayReply(each) ? [each.node] : []))
    const ended = Promise.all(this.#firstRounds.map((round) => round.endedAt(late)))
    let isEnded = false
    void ended.then(() => {
      isEnded = true
      this.#wake?.()
    })
    // The first walk uses the replies that came during earlier walks.
    let woken = Promise.resolve()
    for (let isLast = false; !this.#poll.isAgreed && !isLast; ) {
      await woken
      // A reply during a walk starts another walk.
      woken = new Promise((resolve) => {
        this.#wake = resolve
      })
      isLast = isEnded
      if (!this.#poll.isAgreed) await this.#walkBack()
      if (!this.#poll.isAgreed && step === 'degrade') await this.#degrade()
    }
  }

  /** Waits until each of these has replied or stalled, and notes who has failed. */
  async #heard(round: HeaderRound): Promise<void> {
    await round.verdict
    for (const node of round.nodes) this.#ports.replies.failed(node, this.startMs)
  }

  #tightenIfVoterDown(): void {
    this.#tightenIf(isVoterMissing(this.#candidates, this.#poll.electorate, this.#ports.replies.isFailing))
  }

  /** When all nodes that could be asked have been. */
  #nextStep(): PolicyStep {
    const isAgreed = this.#poll.isAgreed
    const isDoubtful = !isAgreed && this.#options.tag === 'latest'
    const mayTighten = this.#ports.tightened !== null
    const situation = { mayTighten, isDoubtful, isAgreed, isOpen: !isAgreed, isExhausted: true }
    return nextStep(this.#poll.policy, { ...undecided, ...situation })
  }

  /** Nodes do not agree on how far the chain is, and have not for longer than they may be apart. */
  #isApart(): boolean {
    const { tag } = this.#options
    if (this.#agreement.isPassed(tag)) return true
    if (tag !== 'latest' || this.#poll.policy !== 'everyday') return false
    const heights = [...this.#poll.heard.values()]
    const head = this.#agreement.of(tag)?.block.number ?? Number.POSITIVE_INFINITY
    // Where all are behind, the chain may have been reset.
    return (
      heights.some((number) => number >= head) &&
      heights.some((number) => this.#agreement.isLeftBehind(number))
    )
  }

  /** From now on a head takes more than half of voters and witnesses, unless it does already, or never does. */
  #tightenIf(isDoubtful: boolean): void {
    const { tightened } = this.#ports
    const policy = startingPolicy(this.#poll.policy, { mayTighten: tightened !== null, isDoubtful })
    if (tightened === null || policy === this.#poll.policy) return
    this.#poll.policy = policy
    this.#poll.electorate = tightened
    this.#candidates = usableFirst([...this.#candidates, ...this.#witnesses])
    this.#poll.nodesCount = this.#candidates.length
    this.#poll.isComplete = false
    this.#poll.isAgreed = false
    this.#agreement.tighten(this.#options.tag, tightened)
  }

  #unpolled(): readonly NodeIndex[] {
    return this.#candidates.flatMap(({ node }) => (this.#polled.includes(node) ? [] : [node]))
  }

  /** After that, every node has been asked. */
  async #pollUnpolled(): Promise<void> {
    await this.#heard(this.#pollLatest(this.#unpolled()))
    this.#poll.isComplete = true
    if (!this.#poll.isAgreed) this.#memorize()
  }

  /** Too few witnesses reply: what the voters agree on by the everyday rule becomes a thin head, unless witnesses contradict it. */
  async #degrade(): Promise<void> {
    if (!this.#memorizeThin()) await this.#walkBack('degraded')
  }

  /** Asks for the highest number that a quorum has passed, then further and further back, until a quorum shows one hash. */
  async #walkBack(rule: 'own' | 'degraded' = 'own'): Promise<void> {
    const { heard, silent, headers, endMs } = this.#poll
    const { tag } = this.#options
    const { clock, degraded } = this.#ports
    const electorate = rule === 'own' ? this.#poll.electorate : degraded[tag]
    const ranked = rankedNumber(
      this.#views.nodeViews().filter(({ node }) => heard.has(node)),
      electorate,
    )
    if (ranked === null) return
    for (let back = 0; back <= walkMax; back = back === 0 ? 1 : back * 2) {
      const number = ranked - back
      const lowest = this.#poll.isAgreed ? (this.#agreement.of(tag)?.block.number ?? 0) : 0
      if (number < lowest || clock.now() >= endMs) return
      const nodes = this.#views
        .nodeViews()
        .filter(({ node, view }) => (view.latest()?.number ?? -1) >= number && !silent.has(node))
        .filter(({ view }) => view.hashAt(number) === null)
        .map(({ node }) => node)
      const awaited = new Set(nodes)
      const round = this.#sendHeader(nodes, hexOf(number), (node, header) => {
        awaited.delete(node)
        silent.delete(node)
        if (header?.number !== number) return
        heard.set(node, Math.max(number, heard.get(node) ?? number))
        headers.add(node, header)
        this.#views.of(node).showed(header)
        if (this.#wake !== null) this.#admit()
      })
      await round.verdict
      for (const node of awaited) silent.add(node)
      const isAgreed = clock.now() <= endMs && (rule === 'own' ? this.#memorize() : this.#memorizeThin())
      if (isAgreed && !this.#agreement.isPassed(tag)) return
    }
  }

  #pollLatest(nodes: readonly NodeIndex[]): HeaderRound {
    const { tag } = this.#options
    for (const node of nodes) {
      this.#polled.push(node)
      if (tag === 'latest') this.#memory.polledMs.set(node, this.#poll.sinceMs)
    }
    const round = this.#sendLatest(nodes)
    this.#firstRounds.push(round)
    return round
  }

  /**
   * Nodes that differ and are a quorum are polled again while callers wait, until the walk back: the others may hang. While those that
   * reply are no quorum, all others are asked: a node may take its long stall, and who calls after an outage waits for a poll that
   * began in it.
   */
  #pollAgain(lastMs: number, last?: HeaderRound): void {
    const { clock } = this.#ports
    this.#cancelNext = clock.after(promptMsMax, () => {
      const { electorate, heard } = this.#poll
      const nodes = [...heard.keys()]
      const isHeard = isQuorum(electorate, operatorsOfNodes(electorate, nodes))
      if (isHeard && this.#options.isAwaited && !this.#isWalking) this.#sendLatest(nodes)
      if (isHeard || clock.now() - lastMs < repollMs) return this.#pollAgain(lastMs, last)
      // Of each node the first request goes on, since it may reply late.
      last?.close()
      const again = this.#sendLatest([...this.#unheard])
      this.#pollLatest(this.#unpolled())
      this.#pollAgain(clock.now(), again)
    })
  }

  #sendLatest(nodes: readonly NodeIndex[]): HeaderRound {
    const { tag } = this.#options
    for (const node of nodes) this.#unheard.add(node)
    return this.#sendHeader(nodes, tag, (node, header) => {
      this.#unheard.delete(node)
      // A voter's fault counts before the replies that follow it: they may be a quorum of liars.
      if (header === null) {
        this.#ports.replies.failed(node, this.startMs)
        if (!this.#poll.isAgreed) this.#tightenIfVoterDown()
        return
      }
      // After a sleep of the machine, a reply may be from before it.
      if (this.#ports.clock.now() > this.#poll.endMs) return
      this.#poll.heard.set(node, header.number)
      this.#poll.headers.add(node, header)
      this.#views.of(node).saw(header)
      if (tag === 'latest') this.#ports.sawHead(node, header.number)
      this.#admit()
    })
  }

  #sendHeader(
    nodes: readonly NodeIndex[],
    block: string,
    onHeader: (node: NodeIndex, header: Header | null) => void,
  ): HeaderRound {
    const round = new HeaderRound(
      {
        nodes: this.#isClosed ? [] : nodes,
        block,
        deadlineMs: this.#options.deadlineMs,
        until: 'replied-or-stalled',
        onHeader,
        isWanted: () => !this.#isOver,
        countsAsFault: () => this.#isDone,
      },
      this.#ports,
    ).begin()
    this.#rounds.push(round)
    return round
  }

  #admit(): void {
    const isLast = this.#wake !== null
    const isAgreed = this.#memorize() || (isLast && this.#memorizeThin())
    if (isAgreed && (isLast || this.#isSettled())) this.release()
    this.#wake?.()
  }

  #memorize(): boolean {
    const isAgreed = this.#memory.admit(this.#poll)
    this.#poll.isAgreed ||= isAgreed
    return isAgreed
  }

  /** By the everyday rule, where more is needed. */
  #memorizeThin(): boolean {
    const poll = this.#poll
    const { electorate } = poll
    if (poll.policy !== 'tightened') return false
    poll.electorate = this.#ports.degraded[this.#options.tag]
    poll.isThin = true
    const isAgreed = this.#memorize()
    // Witnesses that have stalled may still complete it by its own rule.
    if (!isAgreed) Object.assign(poll, { electorate, isThin: false })
    return isAgreed
  }

  /** Late nodes may be a quorum. What they show does not end the wait for a head while other nodes show another height. */
  #isSettled(): boolean {
    if (!this.#poll.isAgreed || !this.#options.wantsHighest()) return this.#poll.isAgreed
    return this.#agreement.of(this.#options.tag)?.block.number === Math.max(...this.#poll.heard.values())
  }

  readonly #isLongUnpolled = (node: NodeIndex): boolean => {
    const polledMs = this.#memory.polledMs.get(node) ?? Number.NEGATIVE_INFINITY
    return this.#options.tag === 'latest' && this.#poll.sinceMs - polledMs >= othersEveryMs
  }
}
