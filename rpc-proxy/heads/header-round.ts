import { type Checkpoints, isAgainst } from '../methods/agreed-blocks.ts'
import { type AcceptResult, type Decision, Round, type RoundRequest } from '../round/round.ts'
import type { Clock } from '../runtime/clock.ts'
import { indexesOf, type MemberIndex, type NodeIndex } from '../runtime/indexes.ts'
import type { Reply } from '../wire/types.ts'
import type { AgreedBlock, Header } from './head-views.ts'
import type { HeaderReplies } from './header-replies.ts'
import { contradicts, headerReply, readHeader } from './headers.ts'

/** How headers are asked for. */
export interface HeaderPorts {
  readonly clock: Clock
  readonly chainId: number
  /** The agreed block of a hash. */
  readonly known: (hash: string) => AgreedBlock | null
  readonly checkpoints: Checkpoints
  /** An eth_getBlockByNumber to a node, which is this member of its round. */
  readonly request: (node: NodeIndex, member: MemberIndex, block: string) => RoundRequest
  readonly replies: HeaderReplies
}

interface HeaderRoundOptions {
  readonly nodes: readonly NodeIndex[]
  /** A tag, or a number in hex. */
  readonly block: string
  readonly deadlineMs: number
  /** When there is a verdict: the round goes on listening until its deadline, or until it is told otherwise. */
  readonly until: 'replied' | 'replied-or-stalled'
  /** Null for anything that is no header. */
  readonly onHeader: (node: NodeIndex, header: Header | null) => void
  /** Whether anybody still waits for the verdict. */
  readonly isWanted: () => boolean
  /** Whether stalls count against nodes that have not replied since. */
  readonly countsAsFault: () => boolean
}

const wrongHash: Reply = { kind: 'fault', fault: 'wrong-hash' }
const wrongChain: Reply = { kind: 'fault', fault: 'wrong-chain' }

/** One round for the header of one block. Each node of it is asked at once. */
export class HeaderRound extends Round<void> {
  readonly #options: HeaderRoundOptions
  readonly #ports: HeaderPorts
  #isStarted = false

  constructor(options: HeaderRoundOptions, ports: HeaderPorts) {
    super({ deadlineMs: options.deadlineMs, clock: ports.clock, signal: null })
    this.#options = options
    this.#ports = ports
  }

  get nodes(): readonly NodeIndex[] {
    return this.#options.nodes
  }

  /** Resolves when no request of it is in flight at these nodes any more. */
  endedAt(waitedFor: readonly NodeIndex[]): Promise<void> {
    const { nodes } = this.#options
    const isAt = (member: MemberIndex) => waitedFor.includes(nodes[member] as NodeIndex)
    return this.ended(indexesOf<MemberIndex>(nodes).filter(isAt))
  }

  protected start(member: MemberIndex): RoundRequest {
    const { nodes, block } = this.#options
    const node = nodes[member] as NodeIndex
    this.#ports.replies.sent(node)
    return this.#ports.request(node, member, block)
  }

  protected accept(request: RoundRequest, sent: Reply): AcceptResult {
    const { chainId } = this.#ports
    const read = sent.kind === 'result' ? readHeader(sent.raw, chainId) : null
    const falsehood = read === null ? null : this.#falsehoodOf(read)
    const header = falsehood === null ? read : null
    const reply = falsehood ?? headerReply(sent, header)
    const node = this.#options.nodes[request.member] as NodeIndex
    request.end(reply)
    if (reply.kind !== 'fault') this.#ports.replies.replied(node, request.record.startMs)
    this.#options.onHeader(node, header)
    return 'done'
  }

  /** The fault of a header that cannot be true. */
  #falsehoodOf(header: Header): Reply | null {
    const { known, checkpoints } = this.#ports
    if (contradicts(header, known(header.hash))) return wrongHash
    return isAgainst(checkpoints, header) ? wrongChain : null
  }

  protected decide(): Decision<void> {
    const { nodes, until, isWanted } = this.#options
    if (!this.#isStarted) {
      this.#isStarted = true
      return { kind: 'start', members: indexesOf<MemberIndex>(nodes) }
    }
    const isDone = ({ state }: RoundRequest) =>
      state === 'ended' || (state === 'stalled' && until === 'replied-or-stalled')
    return this.isLate || !isWanted() || this.requests.every(isDone)
      ? { kind: 'verdict', verdict: undefined, listenTo: 'everything' }
      : { kind: 'wait' }
  }

  protected countsAsFault({ member }: RoundRequest): boolean {
    const { nodes, countsAsFault } = this.#options
    return countsAsFault() && this.#ports.replies.isLate(nodes[member] as NodeIndex, 0)
  }
}
