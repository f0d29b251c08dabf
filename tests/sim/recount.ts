import type { Cast, Network } from './network.ts'
import type { WorldChain } from './world.ts'

/** The quorum, as configured at the time. */
export interface Bar {
  readonly quorum: number
  readonly operatorsMin: number
}

/** Weight of these operators. Each has the weight of its heaviest node. */
export function weightOf(chain: WorldChain, operators: ReadonlySet<string>): number {
  let weight = 0
  for (const operator of operators) {
    let heaviest = 0
    for (const node of chain.nodes)
      if (node.operator === operator && node.weight > heaviest) heaviest = node.weight
    weight += heaviest
  }
  return weight
}

export function isQuorum(chain: WorldChain, bar: Bar, operators: ReadonlySet<string>): boolean {
  return operators.size >= bar.operatorsMin && weightOf(chain, operators) >= bar.quorum
}

/** Operators with exactly this answer. */
export function votersFor(casts: readonly Cast[], meaning: string): Set<string> {
  const operators = new Set<string>()
  for (const cast of casts) if (cast.meaning === meaning) operators.add(cast.node.operator)
  return operators
}

/** Operators that support this answer. A pending transaction is also supported by those that have it in a block. */
export function supportersOf(casts: readonly Cast[], meaning: string): Set<string> {
  const signed = waitingPart(meaning)
  if (signed === null) return votersFor(casts, meaning)
  return new Set(casts.filter((cast) => signedPart(cast.meaning) === signed).map(({ node }) => node.operator))
}

/** The fields of a pending transaction without its block; null for other answers. */
export function waitingPart(meaning: string): string | null {
  return meaning.includes('"blockHash":null') ? signedPart(meaning) : null
}

/** Any answer without block fields. */
export function signedPart(meaning: string): string {
  return meaning.replace(/"(blockHash|blockNumber|transactionIndex)":(null|"[^"]*")/g, '')
}

/** Operators whose nodes contradict each other. */
export function contradicting(casts: readonly Cast[]): Set<string> {
  const first = new Map<string, Cast>()
  const split = new Set<string>()
  for (const cast of casts) {
    if (!cast.isSure) continue
    const { operator } = cast.node
    const known = first.get(operator)
    if (known === undefined) first.set(operator, cast)
    else if (known.node !== cast.node && known.meaning !== cast.meaning) split.add(operator)
  }
  return split
}

/** When this group first became a quorum; null if never. */
export function quorumAtMs(
  chain: WorldChain,
  bar: Bar,
  casts: readonly Cast[],
  meaning: string,
): number | null {
  const operators = new Set<string>()
  for (const cast of casts) {
    if (cast.meaning !== meaning) continue
    operators.add(cast.node.operator)
    if (isQuorum(chain, bar, operators)) return cast.atMs
  }
  return null
}

/** Votes on a key between two sequence numbers. */
export function castsWithin(
  network: Network,
  chain: WorldChain,
  key: string,
  from: number,
  to: number,
): readonly Cast[] {
  return network.casts(chain, key).filter(({ order }) => order >= from && order <= to)
}
