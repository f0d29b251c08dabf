import QuickLRU from 'quick-lru'
import type { BlockId, Evidence } from '../events/evidence-types.ts'
import { buildEvidence, recordOfGroup } from '../evidence/build.ts'
import type { Head } from '../heads/heads.ts'
import { type Electorates, operatorsOfNodes } from '../quorum/electorate.ts'
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

/** What agreed heads rest on. */
export interface HeadEvidence {
  readonly of: (head: Head) => Evidence
  /** Anew, for a head that has been agreed on again. */
  readonly remember: (head: Head) => Evidence
  /** Not all who showed these heads are believed any more. */
  readonly forget: () => void
}

/** Heads whose evidence is kept, at least: a request ends within 8 s, in which the fastest chains make 32 blocks. */
const evidencesMax = 64

const rule: RuleName = { id: 'head', label: 'the highest block that a quorum shows' }

export function createHeadEvidence({
  chainId,
  nodes,
  electorates,
  nextId,
  signed,
}: HeadVoters): HeadEvidence {
  /** By block hash. */
  const evidences = new QuickLRU<string, Evidence>({ maxSize: evidencesMax })

  function build({ block, nodes: showing, seenMs, policy, isThin }: Head): Evidence {
    const electorate = electorates[policy]
    const operators = operatorsOfNodes(electorate, showing)
    const names = showing.map((node) => (nodes[node] as Node).options.name)
    return buildEvidence({
      id: nextId(),
      chainId,
      method: 'eth_blockNumber',
      params: '[]',
      block: idOf(block),
      electorate,
      policy,
      isThin,
      startMs: seenMs,
      endMs: seenMs,
      rule,
      reason: null,
      operators,
      requests: [],
      groups: [recordOfGroup({ operators }, electorate, { nodes: names, text: `"${block.hash}"` })],
      result: 0,
      signed: signed(),
    })
  }

  function remember(head: Head): Evidence {
    const evidence = build(head)
    evidences.set(head.block.hash, evidence)
    return evidence
  }

  return {
    of(head) {
      const known = evidences.get(head.block.hash)
      // A head that does not move may have been found again by another rule.
      const isSame =
        known?.policy === head.policy && known.isThin === head.isThin && known.signed?.hash === signed()?.hash
      return isSame ? known : remember(head)
    },
    remember,
    forget: () => evidences.clear(),
  }
}

export function idOf({ number, hash }: BlockId): BlockId {
  return { number, hash }
}
