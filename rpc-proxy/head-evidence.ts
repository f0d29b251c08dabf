import QuickLRU from 'quick-lru'
import type { BlockId, Evidence } from './events.ts'
import type { Agreed } from './heads/heads.ts'
import { countOf, type Electorate, type Operators, weightOf } from './quorum/electorate.ts'
import type { Node } from './upstreams/node.ts'

export interface HeadVoters {
  readonly chainId: number
  readonly nodes: readonly Node[]
  readonly electorate: Electorate
  readonly operatorsOf: (voters: readonly number[]) => Operators
  readonly nextId: () => string
}

/** What agreed heads rest on. */
export interface HeadEvidence {
  readonly of: (head: Agreed) => Evidence
  /** Anew, for a head that has been agreed on again. */
  readonly remember: (head: Agreed) => Evidence
}

/** Heads whose evidence is kept, at least: a request ends within 8 s, in which the fastest chains make 32 blocks. */
const evidencesMax = 64

export function createHeadEvidence({
  chainId,
  nodes,
  electorate,
  operatorsOf,
  nextId,
}: HeadVoters): HeadEvidence {
  /** By block hash. */
  const evidences = new QuickLRU<string, Evidence>({ maxSize: evidencesMax })

  function remember({ block, voters, seenMs }: Agreed): Evidence {
    const agreeing = operatorsOf(voters)
    const weight = weightOf(electorate, agreeing)
    const evidence: Evidence = {
      id: nextId(),
      chainId,
      method: 'eth_blockNumber',
      startMs: seenMs,
      endMs: seenMs,
      outcome: 'agreed',
      reason: null,
      rule: 'the highest block that a quorum shows',
      agreed: weight,
      needed: electorate.needed,
      total: electorate.total,
      operators: countOf(agreeing),
      dissenting: 0,
      operatorsMin: electorate.operatorsMin,
      block: idOf(block),
      asks: [],
      camps: [
        {
          weight,
          operators: electorate.operators.filter((_, index) => agreeing & (1 << index)),
          nodes: voters.map((voter) => (nodes[voter] as Node).options.name),
          said: `"${block.hash}"`,
        },
      ],
    }
    evidences.set(block.hash, evidence)
    return evidence
  }

  return { remember, of: (head) => evidences.get(head.block.hash) ?? remember(head) }
}

export function idOf({ number, hash }: BlockId): BlockId {
  return { number, hash }
}
