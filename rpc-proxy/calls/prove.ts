import type { Chain } from '../chain/chain.ts'
import type { CacheResult } from '../events/events.ts'
import type { Evidence, PinnedBlock, Policy, UpstreamRequestRecord } from '../events/evidence-types.ts'
import { buildEvidence, recordOfGroup } from '../evidence/build.ts'
import { QuorumError } from '../evidence/quorum-error.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { methodSpec } from '../methods/table.ts'
import { type AccountSlots, verifyCode } from '../proofs/trie-proof.ts'
import { noOperators, type OperatorSet } from '../quorum/operator-set.ts'
import { provenRule } from '../quorum/proven.ts'
import type { ReadOutcome } from '../quorum/read-round.ts'
import type { RuleName } from '../quorum/verdict.ts'
import type { ReadPorts, ReadRequest } from './attempt.ts'
import { contextOf } from './error-context.ts'
import { readLong } from './long-result.ts'
import { type Certified, type CertifiedProof, withCode } from './proof-record.ts'
import type { ReadAgreement } from './read.ts'
import { strategyOf } from './strategies.ts'

/** A method as one node is asked it. */
const provenSpec = (method: string): MethodSpec => ({ ...methodSpec(method), strategy: 'proven' })

const proofSpec = provenSpec('eth_getProof')
const codeSpec = provenSpec('eth_getCode')
/** The method by which state is proven. */
export const { method: proofMethod } = proofSpec

/** The agreed block whose state is proven, and on whose word it is agreed. */
export interface Footing {
  readonly hash: string
  /** The block as the call is pinned to it. */
  readonly pinned: PinnedBlock | null
  readonly policy: Policy
  readonly isThin: boolean
  readonly operators: OperatorSet
  /** Where nothing proves it, a quorum is asked instead. */
  readonly orQuorum: boolean
}

/** Who waits for the proof, and for how long. */
export type Proving = Pick<ReadRequest, 'policy' | 'endMs' | 'signal' | 'callers' | 'trace'> & {
  readonly footing: Footing
  /** Requests that came before, for the same result. */
  readonly before?: readonly UpstreamRequestRecord[]
}

/** Proves an account and slots of it. `textOf`: what is returned of a reply; null where it proves nothing. */
export function proveState(
  chain: Chain,
  { address, slots, textOf, certifiedOf }: AccountSlots & Pick<Claim, 'textOf' | 'certifiedOf'>,
  proving: Proving,
  ports: ReadPorts,
): Promise<ReadAgreement> {
  const isFixed = slots.length <= 1
  const params = [address, slots, at(proving)]
  return prove(chain, { rule: proofSpec, params, isFixed, textOf, certifiedOf }, proving, ports)
}

/** Proves the code that has this hash. `proof`: that the account has it. */
export function proveCode(
  chain: Chain,
  { address, codeHash, proof }: { address: string; codeHash: string; proof: CertifiedProof },
  proving: Proving,
  ports: ReadPorts,
): Promise<ReadAgreement> {
  const textOf = (value: unknown) => {
    const read = verifyCode(value, codeHash)
    return 'verified' in read ? JSON.stringify(read.verified) : null
  }
  const certifiedOf = (raw: string) => ({ text: raw, proof: withCode(proof, raw) })
  const claim = { rule: codeSpec, params: [address, at(proving)], isFixed: true, textOf, certifiedOf }
  return prove(chain, claim, proving, ports)
}

/** By its hash: a node of another branch does not have it, and is at no fault. */
const at = ({ footing }: Proving) => ({ blockHash: footing.hash })

type TextOf = (value: unknown) => string | null

interface Claim {
  readonly rule: MethodSpec
  readonly params: readonly unknown[]
  /** No caller can make it more work: nodes that all fail at it may fail at others. */
  readonly isFixed: boolean
  readonly textOf: TextOf
  readonly certifiedOf: (raw: string) => Certified
}

/** Sends a call to one node after another until a reply proves itself. Throws QuorumError `unproven` where none does. */
async function prove(
  chain: Chain,
  { rule, params, isFixed, textOf, certifiedOf }: Claim,
  proving: Proving,
  ports: ReadPorts,
): Promise<ReadAgreement> {
  const { footing, policy, endMs, signal, callers, trace } = proving
  const { clock, nextId } = ports
  const id = nextId()
  const chainId = chain.config.id
  const sent = JSON.stringify(params)
  const pinned = { params, block: footing.pinned, at: null }
  const outcome = await chain.read({
    id,
    rule,
    call: { method: rule.method, params: sent, context: contextOf(rule, pinned, chain.heads), callers },
    block: footing.pinned,
    electorates: chain.electorates,
    policy,
    strategy: strategyOf(rule, chainId),
    textOf,
    readAhead: (raw) => readLong(raw, { shape: rule.shape, chainId, clock, textOf }),
    isSuspicious: () => false,
    isOffChain: () => false,
    mayGoLower: false,
    // A quorum that is asked after it needs its time.
    deadlineMs: Math.min(
      endMs - clock.now(),
      footing.orQuorum ? 2 * chain.stallMs : Number.POSITIVE_INFINITY,
    ),
    audit: false,
    signal,
    trace,
  })
  noteFaults(chain, { rule, isFixed, outcome, id }, ports)
  return concluded(chain, { id, method: rule.method, params: sent, outcome, certifiedOf }, proving, ports)
}

interface Proved extends Pick<Claim, 'certifiedOf'>, Pick<Evidence, 'id' | 'method' | 'params'> {
  readonly outcome: ReadOutcome
}

function noteFaults(
  { config, nodes }: Chain,
  {
    rule: { method },
    isFixed,
    outcome,
    id,
  }: Pick<Claim, 'rule' | 'isFixed'> & Pick<Proved, 'outcome' | 'id'>,
  { emit }: ReadPorts,
): void {
  const isFailed = isFixed && outcome.verdict.kind === 'failed'
  for (const request of outcome.requests) {
    const { node, outcome: ended, detail, stalledMs } = request
    if (ended === 'fault' && detail === 'malformed')
      emit({ type: 'proof-fault', chainId: config.id, node, method, answer: id })
    // Where another node proves it, the round has noted those that failed.
    if (isFailed && (ended !== 'cancelled' || stalledMs !== null))
      nodes.find(({ options }) => options.name === node)?.avoid(method)
  }
}

/** The result and its evidence, which the observers are told. Its strength is that of the agreed block. */
function concluded(
  chain: Chain,
  { id, method, params, outcome, certifiedOf }: Proved,
  { footing, before = [] }: Proving,
  { emit }: ReadPorts,
): ReadAgreement {
  const { verdict, startMs, endMs, requests } = outcome
  const raw = verdict.kind === 'agreed' ? verdict.raw : null
  const certified = raw === null ? null : certifiedOf(raw)
  const evidence = evidenceOn(chain, footing, {
    id,
    method,
    params,
    startMs: before[0]?.startMs ?? startMs,
    endMs,
    rule: verdict.rule,
    requests: [...before.map((request) => ({ ...request, group: null })), ...requests],
    nodes: requests.filter(({ group }) => group !== null).map(({ node }) => node),
    text: certified?.text ?? null,
    proof: certified?.proof,
  })
  // Where a quorum is asked instead, nothing has failed.
  if (raw !== null || !footing.orQuorum) emit({ type: 'verdict', evidence })
  if (raw === null) throw new QuorumError(evidence)
  return agreementOn(raw, evidence)
}

interface Whole {
  readonly method: string
  readonly params: readonly unknown[]
  readonly raw: string
  readonly certified: Certified
}

/** What was proven in parts, each by a proof of its own or by nothing but the block. */
export function provenTogether(
  chain: Chain,
  footing: Footing,
  { method, params, raw, certified }: Whole,
  parts: readonly { readonly evidence: Evidence; readonly cache: CacheResult }[],
  { clock, nextId, emit }: ReadPorts,
): ReadAgreement {
  const requests = parts.flatMap(({ cache, evidence }) => (cache === 'miss' ? evidence.requests : []))
  const nodes = parts.flatMap(({ evidence: { groups } }) => groups[0]?.nodes ?? [])
  const evidence = evidenceOn(chain, footing, {
    id: nextId(),
    method,
    params: JSON.stringify(params),
    startMs: Math.min(clock.now(), ...requests.map(({ startMs }) => startMs)),
    endMs: clock.now(),
    rule: provenRule,
    requests,
    nodes: [...new Set(nodes)],
    ...certified,
  })
  emit({ type: 'verdict', evidence })
  return agreementOn(raw, evidence)
}

interface OnFooting
  extends Pick<Evidence, 'id' | 'method' | 'params' | 'startMs' | 'endMs' | 'requests' | 'proof'> {
  readonly rule: RuleName
  /** Nodes that proved it. */
  readonly nodes: readonly string[]
  /** Null where nothing was proven. */
  readonly text: string | null
}

function evidenceOn(
  { config, electorates }: Chain,
  { policy, isThin, operators, pinned }: Footing,
  { text, nodes, ...rest }: OnFooting,
): Evidence {
  const electorate = electorates[policy]
  const about = { ...rest, chainId: config.id, block: pinned, electorate, policy, isThin }
  if (text === null)
    return buildEvidence({ ...about, reason: 'unproven', operators: noOperators, result: null, groups: [] })
  const groups = [recordOfGroup({ operators }, electorate, { nodes, text })]
  return buildEvidence({ ...about, reason: null, operators, result: 0, groups })
}

/** What is proven, on the word of those who stand behind its block. */
function agreementOn(raw: string, evidence: Evidence): ReadAgreement {
  return {
    result: { raw },
    evidence,
    operators: evidence.supporters as OperatorSet,
    essential: noOperators,
    isOffChain: false,
    namedNumber: null,
    proof: evidence.proof,
  }
}
