import type { WorldChain } from './world.ts'

/** By which rule a result is agreed on. `thin`: an everyday quorum, though more was needed. */
export type Policy = 'everyday' | 'tightened' | 'protected' | 'bridge' | 'thin'

/** What a quorum takes, as configured at the time. */
export interface Bar {
  readonly quorum: number
  readonly operatorsMin: number
  /** It takes more than half of all weight too, that of witnesses included. */
  readonly isOfFull: boolean
  /** Operators without whose vote there is none. */
  readonly required: ReadonlySet<string>
}

export type Bars = Readonly<Record<Policy, Bar>>

/** The bars of a chain, from its configuration alone. */
export function barsOf(chain: WorldChain, quorum: number = chain.quorum): Bars {
  const { nodes, operatorsMin, protect } = chain
  const count = operatorsOf(chain).size
  const everyday: Bar = {
    quorum,
    operatorsMin,
    isOfFull: false,
    required: new Set(nodes.filter(({ isRequired }) => isRequired).map(({ operator }) => operator)),
  }
  const tightened = { ...everyday, operatorsMin: Math.max(operatorsMin, Math.min(2, count)), isOfFull: true }
  const protectMin = Math.min(protect.operatorsMin, Math.floor(count / 2) + 1)
  return {
    everyday,
    tightened,
    protected: { ...tightened, operatorsMin: Math.max(operatorsMin, protectMin, 2) },
    // All of at least three.
    bridge: { ...tightened, quorum: 0, operatorsMin: Math.max(3, count), required: operatorsOf(chain) },
    thin: { ...everyday, required: new Set() },
  }
}

/** Rounds are tightened only where there is somebody to ask more, or somebody who must vote. */
export function mayTighten({ nodes }: WorldChain): boolean {
  return nodes.some(({ isWitness, isRequired }) => isWitness || isRequired)
}

export function operatorsOf({ nodes }: WorldChain): ReadonlySet<string> {
  return new Set(nodes.map(({ operator }) => operator))
}

/** Weight of these operators. Each has the weight of its heaviest node; witnesses weigh nothing every day. */
export function weightOf(
  chain: WorldChain,
  { isOfFull }: Pick<Bar, 'isOfFull'>,
  operators: ReadonlySet<string>,
): number {
  let weight = 0
  for (const operator of operators) {
    let heaviest = 0
    for (const node of chain.nodes)
      if (node.operator === operator && (isOfFull || !node.isWitness) && node.weight > heaviest)
        heaviest = node.weight
    weight += heaviest
  }
  return weight
}

/** The weight of all who count. */
export function totalOf(chain: WorldChain, bar: Pick<Bar, 'isOfFull'>): number {
  return weightOf(chain, bar, operatorsOf(chain))
}

/** The weight that a quorum takes. */
export function neededOf(chain: WorldChain, bar: Bar): number {
  return bar.isOfFull ? Math.max(bar.quorum, Math.floor(totalOf(chain, bar) / 2) + 1) : bar.quorum
}

export function isQuorum(chain: WorldChain, bar: Bar, operators: ReadonlySet<string>): boolean {
  for (const operator of bar.required) if (!operators.has(operator)) return false
  let counted = operators.size
  if (!bar.isOfFull)
    for (const operator of operators)
      if (!chain.nodes.some((node) => node.operator === operator && !node.isWitness)) counted--
  return counted >= bar.operatorsMin && weightOf(chain, bar, operators) >= neededOf(chain, bar)
}

/** By any of the rules. */
export function isAnyQuorum(chain: WorldChain, bars: Bars, operators: ReadonlySet<string>): boolean {
  return Object.values(bars).some((bar) => isQuorum(chain, bar, operators))
}

/** More than half of the weight of voters, or of all, and of two operators where there are two. */
export function isMajority(chain: WorldChain, operators: ReadonlySet<string>): boolean {
  return (
    operators.size >= Math.min(2, operatorsOf(chain).size) &&
    [{ isOfFull: false }, { isOfFull: true }].some(
      (bar) => weightOf(chain, bar, operators) * 2 > totalOf(chain, bar),
    )
  )
}
