import QuickLRU from 'quick-lru'
import type { BlockId, Evidence, FailureReason, Policy } from '../events/evidence-types.ts'
import { buildEvidence, recordOfGroup } from '../evidence/build.ts'
import type { Head } from '../heads/heads.ts'
import { type Electorates, noOperators, operatorsOfNodes } from '../quorum/electorate.ts'
import type { RuleName } from '../quorum/verdict.ts'
import type { Node } from '../upstreams/node.ts'

interface HeadVoters {
  readonly chainId: number
  readonly nodes: readonly Node[]
  readonly electorates: Electorates
  readonly nextId: () => string
  /** The last block signed as final, where the head is known to descend from it. */
  readonly signed: () => BlockId | null
}

/** Heads whose evidence is kept, at least: a request ends within 8 s, in which the fastest chains make 32 blocks. */
const evidencesMax = 64

const agreedRule: RuleName = { id: 'head', label: 'the highest block that a quorum shows' }
const noHead: RuleName = { id: 'no-head', label: 'no block that a quorum shows' }
const tooFewReplies: RuleName = {
  id: 'too-few-replies',
  label: 'too few nodes answer to agree on a block',
}

/** What agreed heads rest on. */
export class HeadEvidence {
  readonly #voters: HeadVoters
  /** By block hash. */
  readonly #known = new QuickLRU<string, Evidence>({ maxSize: evidencesMax })

  constructor(voters: HeadVoters) {
    this.#voters = voters
  }

  of(head: Head): Evidence {
    const known = this.#known.get(head.block.hash)
    // A head that does not move may have been found again by another rule.
    const isSame =
      known?.policy === head.policy &&
      known.isThin === head.isThin &&
      known.signed?.hash === this.#voters.signed()?.hash
    return isSame ? known : this.remember(head)
  }

  /** For a head that has been agreed on again. */
  remember({ block, nodes: showing, seenMs, policy, isThin }: Head): Evidence {
    const { nodes, electorates, signed } = this.#voters
    const operators = operatorsOfNodes(electorates[policy], showing)
    const names = showing.map((node) => (nodes[node] as Node).options.name)
    const text = { nodes: names, text: `"${block.hash}"` }
    const evidence = buildEvidence({
      ...this.#about(policy, seenMs),
      block: idOf(block),
      isThin,
      rule: agreedRule,
      reason: null,
      operators,
      groups: [recordOfGroup({ operators }, electorates[policy], text)],
      result: 0,
      signed: signed(),
    })
    this.#known.set(block.hash, evidence)
    return evidence
  }

  /** Of a head that nodes did not agree on. */
  ofNone(reason: FailureReason, policy: Policy, nowMs: number): Evidence {
    const rule = reason === 'heads' ? noHead : tooFewReplies
    const nothing = { block: null, operators: noOperators, groups: [], result: null }
    return buildEvidence({ ...this.#about(policy, nowMs), ...nothing, rule, reason })
  }

  /** Not all who showed these heads are believed any more. */
  forget(): void {
    this.#known.clear()
  }

  #about(policy: Policy, atMs: number) {
    const { chainId, nextId, electorates } = this.#voters
    const call = { id: nextId(), chainId, method: 'eth_blockNumber', params: '[]', requests: [] }
    return { ...call, electorate: electorates[policy], policy, startMs: atMs, endMs: atMs }
  }
}

export function idOf({ number, hash }: BlockId): BlockId {
  return { number, hash }
}
