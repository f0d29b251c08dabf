import type { FlightScope } from '../cache/single-flight.ts'
import type { Chain } from '../chain/chain.ts'
import { type ChainRead, type ReadPorts, sendRead } from '../chain/send-read.ts'
import type { CacheResult, TraceContext } from '../events/events.ts'
import type { Evidence, UpstreamRequestRecord } from '../events/evidence-types.ts'
import { buildEvidence, recordOfGroup } from '../evidence/build.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { methodSpec } from '../methods/table.ts'
import { isEmpty, noOperators } from '../quorum/electorate.ts'
import type { ReadOutcome, ReadQuestion } from '../quorum/read-round.ts'
import {
  accept,
  blockMissing,
  firstOf,
  hasEverybodyReplied,
  type RuleName,
  resultGroups,
  type Strategy,
  type VerdictRule,
} from '../quorum/verdict.ts'
import { internalCall } from '../upstreams/errors/error-pattern.ts'
import { parseJson } from '../wire/scan.ts'
import type { ProofAnchor } from './proof-anchor.ts'
import type { Certified } from './proof-record.ts'

export const proofSpec = methodSpec('eth_getProof')
export const codeSpec = methodSpec('eth_getCode')

/** What was proven, JSON, and its evidence. */
export interface Proven {
  readonly raw: string
  readonly evidence: Evidence
}

/** Who waits for a proof, for how long, and against which block it is held. */
export interface ProofRequest extends FlightScope {
  readonly chain: Chain
  readonly policy: ReadQuestion['policy']
  readonly endMs: number
  readonly trace: TraceContext | null
  readonly anchor: ProofAnchor
}

/** A call whose reply proves itself. */
interface Claim {
  readonly spec: MethodSpec
  readonly params: readonly unknown[]
  /** No caller can make it more work: nodes that all fail at it may fail at others. */
  readonly isFixed: boolean
  /** What is returned of a reply; null where it proves nothing. */
  readonly textOf: (value: unknown) => string | null
  readonly certifiedOf: (raw: string) => Certified
  /** Requests that came before, for the same result. */
  readonly before?: readonly UpstreamRequestRecord[]
}

/** Sends a call to one node after another until a reply proves itself. Throws QuorumError `unproven` where none does. */
export async function sendProof(claim: Claim, request: ProofRequest, ports: ReadPorts): Promise<Proven> {
  const { spec, params, textOf } = claim
  const { chain, anchor, policy, endMs, signal, callers, trace } = request
  const { clock, nextId } = ports
  const id = nextId()
  const { method } = spec
  const sent = JSON.stringify(params)
  const context = { ...internalCall, callerControlled: spec.isFixed?.(params) !== true, atBlock: true }
  const read: ChainRead = {
    id,
    spec,
    call: { method, params: sent, context, callers },
    block: anchor.pinned,
    electorates: chain.electorates,
    policy,
    strategy: provenStrategy,
    textOf,
    async readAhead(raw) {
      const value = parseJson(raw)
      return { value, text: textOf(value) }
    },
    isSuspicious: () => false,
    isOffChain: () => false,
    mayRetryParent: false,
    // A quorum that is asked after it needs its time.
    deadlineMs: Math.min(endMs - clock.now(), anchor.orQuorum ? 2 * chain.stallMs : Number.POSITIVE_INFINITY),
    audit: false,
    first: null,
    signal,
    trace,
  }
  const outcome = await sendRead(read, chain, ports)
  noteFaults(chain, claim, { id, outcome }, ports)
  return provenBy(claim, { id, outcome }, request, ports)
}

/** A round that has ended, and the id of its evidence. */
interface EndedRound {
  readonly id: string
  readonly outcome: ReadOutcome
}

function noteFaults(
  { config, nodes }: Chain,
  { spec: { method }, isFixed }: Claim,
  { id, outcome }: EndedRound,
  { emit }: ReadPorts,
): void {
  const isFailed = isFixed && outcome.verdict.kind === 'failed'
  for (const request of outcome.requests) {
    const { node, outcome: ended, detail, stalledMs } = request
    if (ended === 'fault' && detail === 'malformed')
      emit({ type: 'proof-fault', chainId: config.id, node, method, answer: id })
    // Where another node proves it, the round has noted those that failed.
    if (isFailed && (ended !== 'cancelled' || stalledMs !== null))
      nodes.find(({ options }) => options.name === node)?.health.deprioritized.failed(method)
  }
}

/** The result and its evidence, which the observers are told. Its strength is that of the agreed block. */
function provenBy(
  { spec: { method }, params, certifiedOf, before = [] }: Claim,
  { id, outcome }: EndedRound,
  { chain, anchor }: ProofRequest,
  { emit }: ReadPorts,
): Proven {
  const { verdict, startMs, endMs, requests } = outcome
  const raw = verdict.kind === 'agreed' ? verdict.raw : null
  const certified = raw === null ? null : certifiedOf(raw)
  const evidence = evidenceAt(chain, anchor, {
    id,
    method,
    params: JSON.stringify(params),
    startMs: before[0]?.startMs ?? startMs,
    endMs,
    rule: verdict.rule,
    requests: [...before.map((request) => ({ ...request, group: null })), ...requests],
    nodes: requests.filter(({ group }) => group !== null).map(({ node }) => node),
    text: certified?.text ?? null,
    proof: certified?.proof,
  })
  // Where a quorum is asked instead, nothing has failed.
  if (raw !== null || !anchor.orQuorum) emit({ type: 'verdict', evidence })
  if (raw === null) throw new QuorumError(evidence)
  for (const { node } of requests.filter(({ group }) => group !== null))
    emit({ type: 'proof', chainId: chain.config.id, node })
  return { raw, evidence }
}

interface Whole {
  readonly method: string
  readonly params: readonly unknown[]
  readonly raw: string
  readonly proof: Certified['proof']
}

/** What was proven in parts, each by a proof of its own, or by nothing but the block. */
export function evidenceOfParts(
  chain: Chain,
  anchor: ProofAnchor,
  { method, params, raw, proof }: Whole,
  parts: readonly { readonly evidence: Evidence; readonly cache: CacheResult }[],
  { clock, nextId, emit }: ReadPorts,
): Proven {
  const requests = parts.flatMap(({ cache, evidence }) => (cache === 'miss' ? evidence.requests : []))
  const nodes = parts.flatMap(({ evidence: { groups } }) => groups[0]?.nodes ?? [])
  const evidence = evidenceAt(chain, anchor, {
    id: nextId(),
    method,
    params: JSON.stringify(params),
    startMs: Math.min(clock.now(), ...requests.map(({ startMs }) => startMs)),
    endMs: clock.now(),
    rule: provenRule,
    requests,
    nodes: [...new Set(nodes)],
    text: raw,
    proof,
  })
  emit({ type: 'verdict', evidence })
  return { raw, evidence }
}

interface AtAnchor
  extends Pick<Evidence, 'id' | 'method' | 'params' | 'startMs' | 'endMs' | 'requests' | 'proof'> {
  readonly rule: RuleName
  /** Nodes that proved it. */
  readonly nodes: readonly string[]
  /** Null where nothing was proven. */
  readonly text: string | null
}

function evidenceAt(
  { config, electorates }: Chain,
  { policy, isThin, operators, pinned }: ProofAnchor,
  { text, nodes, ...rest }: AtAnchor,
): Evidence {
  const electorate = electorates[policy]
  const about = { ...rest, chainId: config.id, block: pinned, electorate, policy, isThin }
  if (text === null)
    return buildEvidence({ ...about, reason: 'unproven', operators: noOperators, result: null, groups: [] })
  const groups = [recordOfGroup({ operators }, electorate, { nodes, text })]
  return buildEvidence({ ...about, reason: null, operators, result: 0, groups })
}

const provenRule: VerdictRule = {
  id: 'proven',
  label: 'a proof against the agreed block',
  decide(situation, rule) {
    const [group] = resultGroups(situation)
    return group === undefined ? null : { ...accept(group, rule), raw: group.text }
  },
}

const unproven: VerdictRule = {
  id: 'unproven',
  label: 'no node sends a proof that holds',
  decide: (situation, rule) =>
    situation.late || hasEverybodyReplied(situation) ? { kind: 'failed', rule, reason: 'unproven' } : null,
}

/** A reply with a valid proof is the result. Nodes are sent the call one after another, the next at a stall. */
const provenStrategy: Strategy = {
  decide: firstOf([provenRule, unproven, blockMissing]),
  needsMore: (situation) => resultGroups(situation).length === 0 && isEmpty(situation.awaited),
  mayDiffer: false,
}
