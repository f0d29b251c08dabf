/** What a node of a row does to every call. */
export type Conduct = 'honest' | 'poisoned' | 'silent'

/** A node of a row, each of an operator of its own. */
export interface RiskNode {
  readonly weight: number
  readonly isWitness: boolean
  readonly conduct: Conduct
}

/** The nodes of a chain in the order in which they are asked. */
export interface Weighed {
  readonly nodes: readonly RiskNode[]
  readonly operatorsMin: number
}

export type Side = 'truth' | 'lie'

/** What a caller must get. `policy` is that of the certificate. */
export interface Outcome {
  readonly side: Side | null
  readonly policy: 'everyday' | 'tightened' | 'protected'
  readonly isThin: boolean
  /** Why there is no result. A protected round says which of two by who replies first, and before whose stall. */
  readonly reasons: readonly Reason[]
}

export type Reason = 'disagree' | 'thin' | 'silent'

/** What `docs/risk.md` says of a row, from its weights alone: nothing here is taken from the engine. */
export function outcomeOf(row: Weighed, policy: Outcome['policy']): Outcome {
  const { nodes } = row
  const winnerBy = (each: Outcome['policy']) =>
    sides.find((side) => quorums[each](row, of(nodes, side))) ?? null
  const firm = winnerBy(policy)
  const left = policy === 'tightened' ? winnerBy('everyday') : null
  const isContradicted = nodes.some(
    ({ isWitness, conduct }) => isWitness && conduct === (left === 'lie' ? 'honest' : 'poisoned'),
  )
  const side = firm ?? (isContradicted ? null : left)
  return {
    side,
    policy,
    isThin: side !== firm,
    reasons: side === null ? reasonsOf(row, policy) : [],
  }
}

function reasonsOf(row: Weighed, policy: Outcome['policy']): readonly Reason[] {
  const heard = row.nodes.filter(({ conduct }) => conduct !== 'silent')
  const isSplit = new Set(heard.map(({ conduct }) => conduct)).size > 1
  if (policy !== 'protected') return [isSplit ? 'disagree' : 'silent']
  const isAnySilent = heard.length < row.nodes.length
  return [...(isSplit ? (['disagree'] as const) : []), ...(isAnySilent ? (['thin'] as const) : [])]
}

/** Whether an everyday round is tightened: a voter is unusable, or one of those that are asked first is silent or contradicts another. */
export function isDoubted(row: Weighed, isUsable: (node: RiskNode) => boolean): boolean {
  const voters = votersOf(row.nodes)
  const asked = voters.filter((_, index) => !isEverydayQuorum(row, voters.slice(0, index)))
  const conducts = new Set(asked.map(({ conduct }) => conduct))
  return hasWitnesses(row) && (conducts.has('silent') || conducts.size > 1 || !voters.every(isUsable))
}

/** The fewest of a set of nodes that together satisfy a rule, by trying every set. */
function fewest(nodes: readonly RiskNode[], isEnough: (some: readonly RiskNode[]) => boolean): number | null {
  const sizes = Array.from({ length: 2 ** nodes.length }, (_, set) =>
    nodes.filter((__, index) => (set >> index) % 2 === 1),
  ).flatMap((some) => (isEnough(some) ? [some.length] : []))
  return sizes.length === 0 ? null : Math.min(...sizes)
}

/** How many operators would have to tell one lie now, with these nodes usable. */
export function operatorsToLie(row: Weighed, isUsable: (node: RiskNode) => boolean) {
  const { nodes } = row
  const isVoterDown = hasWitnesses(row) && nodes.some((node) => !node.isWitness && !isUsable(node))
  const isTightened = isVoterDown && isTightenedQuorum(row, nodes.filter(isUsable))
  return {
    everyday: fewest(nodes, (some) => (isTightened ? isTightenedQuorum : isEverydayQuorum)(row, some)),
    protected: fewest(nodes, (some) => isProtectedQuorum(row, some)),
  }
}

const sides = ['lie', 'truth'] as const
const conductOf = { truth: 'honest', lie: 'poisoned' } as const

const hasWitnesses = ({ nodes }: Weighed) => nodes.some(({ isWitness }) => isWitness)
const of = (nodes: readonly RiskNode[], side: Side) =>
  nodes.filter(({ conduct }) => conduct === conductOf[side])
const weigh = (nodes: readonly RiskNode[]) => nodes.reduce((sum, { weight }) => sum + weight, 0)
const votersOf = (nodes: readonly RiskNode[]) => nodes.filter(({ isWitness }) => !isWitness)

/** Half of the voters' weight. */
function isEverydayQuorum({ nodes, operatorsMin }: Weighed, some: readonly RiskNode[]): boolean {
  const voters = votersOf(some)
  return weigh(voters) * 2 >= weigh(votersOf(nodes)) && voters.length >= operatorsMin
}

/** More than half of all weight, and two operators. */
function isTightenedQuorum({ nodes, operatorsMin }: Weighed, some: readonly RiskNode[]): boolean {
  return weigh(some) * 2 > weigh(nodes) && some.length >= Math.max(operatorsMin, 2)
}

/** More than half of all weight, and three operators. */
function isProtectedQuorum({ nodes, operatorsMin }: Weighed, some: readonly RiskNode[]): boolean {
  return weigh(some) * 2 > weigh(nodes) && some.length >= Math.max(operatorsMin, 3)
}

const quorums = { everyday: isEverydayQuorum, tightened: isTightenedQuorum, protected: isProtectedQuorum }
