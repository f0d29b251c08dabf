import QuickLRU from 'quick-lru'
import type { BlockId, Evidence } from './events.ts'
import type { Agreed } from './heads/heads.ts'
import { type Electorate, namesOf, operatorsOfNodes, weightOf } from './quorum/electorate.ts'
import { countOperators } from './quorum/operator-set.ts'
import type { Node } from './upstreams/node.ts'

export interface HeadVoters {
  readonly chainId: number
  readonly nodes: readonly Node[]
  readonly electorate: Electorate
  readonly nextId: () => string
}

/** What agreed heads rest on. */
export interface HeadEvidence {
  readonly of: (head: Agreed) => Evidence
  /** Anew, for a head that has been agreed on again. */
  readonly remember: (head: Agreed) => Evidence
  /** Not all who showed these heads are believed any more. */
  readonly forget: () => void
}

/** Heads whose evidence is kept, at least: a request ends within 8 s, in which the fastest chains make 32 blocks. */
const evidencesMax = 64

export function createHeadEvidence({ chainId, nodes, electorate, nextId }: HeadVoters): HeadEvidence {
  /** By block hash. */
  const evidences = new QuickLRU<string, Evidence>({ maxSize: evidencesMax })

  function made({ block, nodes: showing, seenMs }: Agreed): Evidence {
    const agreeing = operatorsOfNodes(electorate, showing)
    const weight = weightOf(electorate, agreeing)
    return {
      id: nextId(),
      chainId,
      method: 'eth_blockNumber',
      startMs: seenMs,
      endMs: seenMs,
      outcome: 'agreed',
      reason: null,
      rule: 'the highest block that a quorum shows',
      ruleId: 'head',
      agreed: weight,
      needed: electorate.needed,
      total: electorate.total,
      operators: countOperators(agreeing),
      dissenting: 0,
      operatorsMin: electorate.operatorsMin,
      block: idOf(block),
      asks: [],
      camps: [
        {
          weight,
          operators: namesOf(electorate, agreeing),
          nodes: showing.map((node) => (nodes[node] as Node).options.name),
          said: `"${block.hash}"`,
        },
      ],
    }
  }

  return {
    of: (head) => evidences.get(head.block.hash) ?? made(head),
    remember(head) {
      const evidence = made(head)
      evidences.set(head.block.hash, evidence)
      return evidence
    },
    forget: () => evidences.clear(),
  }
}

export function idOf({ number, hash }: BlockId): BlockId {
  return { number, hash }
}
