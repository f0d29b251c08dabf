import type { Cast, Network } from './network.ts'
import type { WorldChain } from './world.ts'

/** What it takes to be believed: as configured, at the time. */
export interface Bar {
  readonly quorum: number
  readonly operatorsMin: number
}

/** Weight of operators by their names, each as its heaviest node. */
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

/** Whoever said exactly this. */
export function sayers(casts: readonly Cast[], meaning: string): Set<string> {
  const operators = new Set<string>()
  for (const cast of casts) if (cast.meaning === meaning) operators.add(cast.node.operator)
  return operators
}

/** Whoever said this; of a transaction that waits, whoever said the same of it and has it in a block already as well. */
export function backersOf(casts: readonly Cast[], meaning: string): Set<string> {
  const signed = waitingPart(meaning)
  if (signed === null) return sayers(casts, meaning)
  return new Set(casts.filter((cast) => signedPart(cast.meaning) === signed).map(({ node }) => node.operator))
}

/** What an answer says of a transaction besides its block; null for what is no transaction in no block. */
export function waitingPart(meaning: string): string | null {
  return meaning.includes('"blockHash":null') ? signedPart(meaning) : null
}

/** The same of any answer. */
export function signedPart(meaning: string): string {
  return meaning.replace(/"(blockHash|blockNumber|transactionIndex)":(null|"[^"]*")/g, '')
}

/** Operators whose nodes contradict each other. */
export function twoFaced(casts: readonly Cast[]): Set<string> {
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

/** When this camp first was a quorum; null if it never was. */
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

/** Votes on a key, from one moment to another. */
export function castsWithin(
  network: Network,
  chain: WorldChain,
  key: string,
  from: number,
  to: number,
): readonly Cast[] {
  return network.casts(chain, key).filter(({ order }) => order >= from && order <= to)
}
