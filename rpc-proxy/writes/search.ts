import type { AcceptResult, Decision, RoundRules, RoundState } from '../round/round.ts'
import { RoundRequest } from '../round/round.ts'
import type { MemberIndex } from '../runtime/indexes.ts'
import { errorFault, type Reply } from '../wire/types.ts'

const onlyMember = 0 as MemberIndex

/** The search for a transaction, as a member of a round: `known` where a quorum finds it. It never stalls. */
export class SearchRequest extends RoundRequest<Reply> {
  readonly #search: () => Promise<boolean>

  constructor(member: MemberIndex, search: () => Promise<boolean>) {
    super(member, Number.POSITIVE_INFINITY, { startMs: 0, endMs: null, stalledMs: null })
    this.#search = search
  }

  send(): void {
    this.left()
    this.#search().then(
      (isFound) => this.replied({ kind: isFound ? 'known' : 'behind' }),
      () => this.replied({ kind: 'behind' }),
    )
  }

  // The search is a read, which reports what becomes of its own requests.
  stall(): void {}
  giveUp(): void {}
}

/** A round that searches and nothing else. Its verdict: whether the transaction was found. */
export class SearchRound implements RoundRules<Reply, SearchRequest, boolean> {
  readonly fault = errorFault
  readonly #search: () => Promise<boolean>
  #isFound = false

  constructor(hash: string, { known }: { readonly known: (hash: string) => Promise<boolean> }) {
    this.#search = () => known(hash)
  }

  start(member: MemberIndex): SearchRequest {
    return new SearchRequest(member, this.#search)
  }

  accept(_: SearchRequest, reply: Reply): AcceptResult {
    this.#isFound = reply.kind === 'known'
    return 'done'
  }

  decide({ requests: [search], isLate }: RoundState<SearchRequest>): Decision<boolean> {
    if (search === undefined) return { kind: 'start', members: [onlyMember] }
    return search.state === 'ended' || isLate
      ? { kind: 'verdict', verdict: this.#isFound, listenTo: 'nothing' }
      : { kind: 'wait' }
  }

  countsAsFault(): boolean {
    return false
  }
}
