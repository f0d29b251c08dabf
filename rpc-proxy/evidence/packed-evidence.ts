import type { Evidence, GroupRecord, ProofAbsence, UpstreamRequestRecord } from '../events/evidence-types.ts'

/** One request in nine places of a list. Times are hundredths of a millisecond after the evidence's start. */
type PackedRequest = readonly [
  node: string,
  operator: string,
  weight: number,
  startAt: number,
  endAt: number | null,
  stalledAt: number | null,
  outcome: UpstreamRequestRecord['outcome'],
  detail: string | null,
  group: number | null,
]
type PackedRequests = readonly PackedRequest[number][]

const fieldsPerRequest = 9
const unitsPerMs = 100

/** Characters of a group's text that are repeated; a longer one is cut already, or the answer in other bytes. */
const textCharsMax = 4096

/**
 * The evidence of an answer in few objects, for answers that are kept: all its requests are one list, and the text of the group that
 * said the answer is the answer's own. What was outvoted, where nodes differ and confirmations are rare and stand as they are.
 */
export class PackedEvidence implements Evidence {
  readonly id: string
  readonly chainId: number
  readonly method: string
  readonly params: Evidence['params']
  readonly startMs: number
  readonly endMs: number
  readonly outcome: Evidence['outcome']
  readonly reason: Evidence['reason']
  readonly rule: string
  readonly ruleId: Evidence['ruleId']
  readonly agreed: number
  readonly needed: number
  readonly total: number
  readonly operators: number
  readonly dissenting: number
  readonly operatorsTotal: number
  readonly operatorsMin: number
  readonly policy: Evidence['policy']
  readonly isThin: boolean
  readonly block: Evidence['block']
  readonly electorate: Evidence['electorate']
  readonly supporters: number
  readonly result: Evidence['result']
  readonly groups: readonly GroupRecord[]
  readonly difference: Evidence['difference']
  readonly confirmation: Evidence['confirmation']
  readonly proof: ProofAbsence | undefined
  /** Estimated memory besides the answer. */
  readonly bytes: number
  /** Characters of the answer's text, which a group refers to; 0 where none does. */
  readonly resultChars: number
  readonly #requests: PackedRequests
  /** The requests themselves, where a node has yet to reply: what it says is written there. */
  readonly #open: readonly UpstreamRequestRecord[] | null

  /** Packs the evidence of the answer `raw`. */
  constructor(evidence: Evidence, raw: string) {
    this.id = evidence.id
    this.chainId = evidence.chainId
    this.method = evidence.method
    this.params = evidence.params
    this.startMs = evidence.startMs
    this.endMs = evidence.endMs
    this.outcome = evidence.outcome
    this.reason = evidence.reason
    this.rule = evidence.rule
    this.ruleId = evidence.ruleId
    this.agreed = evidence.agreed
    this.needed = evidence.needed
    this.total = evidence.total
    this.operators = evidence.operators
    this.dissenting = evidence.dissenting
    this.operatorsTotal = evidence.operatorsTotal
    this.operatorsMin = evidence.operatorsMin
    this.policy = evidence.policy
    this.isThin = evidence.isThin
    this.block = evidence.block
    this.electorate = evidence.electorate
    this.supporters = evidence.supporters
    this.result = evidence.result
    this.difference = evidence.difference
    this.confirmation = evidence.confirmation
    this.proof = typeof evidence.proof === 'object' ? undefined : evidence.proof
    // A beginning is no answer, and may be a character longer so that it parts no surrogate pair.
    const repeats = ({ text, sha256 }: GroupRecord) =>
      sha256 === undefined && text !== raw && text.length > textCharsMax
    this.groups = evidence.groups.some(repeats)
      ? evidence.groups.map((group) => (repeats(group) ? { ...group, text: raw } : group))
      : evidence.groups
    this.#requests = packed(evidence)
    this.#open = evidence.requests.some(({ outcome }) => outcome === 'pending') ? evidence.requests : null
    this.resultChars = this.groups.some(({ text }) => text === raw) ? raw.length : 0
    this.bytes = this.groups.reduce(
      (sum, group) => sum + bytesOf(group, raw),
      230 + 8 * this.#requests.length + 2 * (this.params?.length ?? 0) + bytesOfRare(evidence),
    )
  }

  get requests(): readonly UpstreamRequestRecord[] {
    return this.#open ?? unpacked(this.#requests, this.startMs)
  }

  get requestCount(): number {
    return this.#requests.length / fieldsPerRequest
  }

  /** As it travels to other engines. */
  toJSON(): Evidence {
    return { ...this, requests: this.requests }
  }
}

/** How many nodes were asked, without unpacking what became of it. */
export function requestCountOf(evidence: Evidence): number {
  return evidence instanceof PackedEvidence ? evidence.requestCount : evidence.requests.length
}

function bytesOf({ text, nodes, operators }: GroupRecord, raw: string): number {
  return 100 + 8 * (nodes.length + operators.length) + (text === raw ? 0 : 2 * text.length)
}

/** Rare, and long where it is there: fifty places, and at each of them what every group says. */
function bytesOfRare({ difference, confirmation }: Evidence): number {
  if (difference === undefined && confirmation === undefined) return 0
  return 2 * JSON.stringify([difference, confirmation]).length
}

function packed({ requests, startMs }: Evidence): PackedRequests {
  const at = (ms: number) => Math.round((ms - startMs) * unitsPerMs)
  const all: PackedRequest[number][] = []
  for (const request of requests) {
    const { endMs, stalledMs } = request
    all.push(request.node, request.operator, request.weight, at(request.startMs))
    all.push(endMs === null ? null : at(endMs), stalledMs === null ? null : at(stalledMs))
    all.push(request.outcome, request.detail, request.group)
  }
  return all
}

function unpacked(all: PackedRequests, startMs: number): readonly UpstreamRequestRecord[] {
  const at = (units: number) => startMs + units / unitsPerMs
  return Array.from({ length: all.length / fieldsPerRequest }, (_, index): UpstreamRequestRecord => {
    const fields = all.slice(
      index * fieldsPerRequest,
      (index + 1) * fieldsPerRequest,
    ) as unknown as PackedRequest
    const [node, operator, weight, startAt, endAt, stalledAt, outcome, detail, group] = fields
    const endMs = endAt === null ? null : at(endAt)
    const stalledMs = stalledAt === null ? null : at(stalledAt)
    return { node, operator, weight, startMs: at(startAt), endMs, stalledMs, outcome, detail, group }
  })
}
