import type { ReadPorts } from '../chain/send-read.ts'
import { hexOf } from '../methods/block-ref.ts'
import { type Electorate, isQuorum, noOperators, operatorOfNode, setOf, union } from '../quorum/electorate.ts'
import { deadline } from '../runtime/clock.ts'
import type { NodeIndex, OperatorIndex } from '../runtime/indexes.ts'
import { type Availability, everyResource } from '../upstreams/node-capabilities.ts'
import { ownResult, type Scope } from './scope.ts'
import type { CallResult } from './services.ts'

/** How long a node may take to say what it has. After that, what it said earlier counts, and what it refused. */
const waitMs = 2000

/** What a quorum of this chain can serve (`eth_capabilities` of execution-apis): as far back as enough operators go. */
export async function capabilities({ clock }: ReadPorts, scope: Scope): Promise<CallResult> {
  const { chain, policy, endMs } = scope
  const electorate = chain.electorates[policy]
  const { signal, cancel } = deadline(clock, Math.min(waitMs, endMs - clock.now()))
  const [head, nodes] = await Promise.all([
    scope.head(),
    // Without a head the requests go on, until they are answered or their time has passed: other calls may wait for them.
    Promise.all(
      chain.nodes.map(async (node, index) => ({
        operator: operatorOfNode(electorate, index as NodeIndex),
        has: await node.capabilities(signal),
      })),
    ).finally(cancel),
  ])
  const { number, hash } = head.block
  const has = everyResource((resource) =>
    written(
      availableOf(
        electorate,
        nodes.map(({ operator, has }) => ({ operator, ...has[resource] })),
      ),
    ),
  )
  const raw = JSON.stringify({ head: { number: hexOf(number), hash }, ...has })
  return ownResult(raw, head.block)
}

/** Nodes that go back furthest come first, unknown ones last: the one that completes a quorum decides. */
function availableOf(
  electorate: Electorate,
  nodes: readonly (Availability & { readonly operator: OperatorIndex })[],
): Availability | null {
  const furthestFirst = nodes
    .filter(({ isDisabled }) => !isDisabled)
    .toSorted((one, other) => rank(one) - rank(other))
  let operators = noOperators
  for (const node of furthestFirst) {
    operators = union(operators, setOf(node.operator))
    if (isQuorum(electorate, operators)) return node
  }
  return null
}

const rank = ({ oldestBlock }: Availability): number => oldestBlock ?? Number.MAX_SAFE_INTEGER

function written(available: Availability | null): object {
  if (available === null) return { disabled: true }
  const { oldestBlock, retentionBlocks } = available
  return {
    disabled: false,
    ...(oldestBlock !== null && { oldestBlock: hexOf(oldestBlock) }),
    ...(retentionBlocks !== null && {
      deleteStrategy: { type: 'window', retentionBlocks: hexOf(retentionBlocks) },
    }),
  }
}
