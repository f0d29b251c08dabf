import { type Bar, isQuorum, operatorsOf } from './bars.ts'
import { type Behavior, delayMsMax, type WorldChain, type WorldNode } from './world.ts'

/** What the oracle may expect in a world, of everyday calls or of protected ones. */
export interface Soundness {
  /** Operators that may ever lie. */
  readonly liars: ReadonlySet<string>
  /** Those, and the ones that may ever report an outdated null. */
  readonly ignorant: ReadonlySet<string>
  /** The liars are fewer than any quorum: no lie may be returned. */
  readonly isSound: boolean
  /** No node is ever faulty, late or on another branch: every call must succeed. */
  readonly isCalm: boolean
  /** The same, except for work that is too heavy for a node. */
  readonly isCalmAtRest: boolean
  /** A node is cordoned at some time. */
  readonly isTouched: boolean
}

const untrue = new Set<Behavior['kind']>(['liar', 'poisoned', 'forking', 'forger', 'balancer', 'stuck'])
const honest = new Set<Behavior['kind']>(['honest'])
const fragile = new Set<Behavior['kind']>(['honest', 'fragile'])
const ignorant = new Set<Behavior['kind']>([...untrue, 'lagging', 'no index'])

interface SoundnessOptions {
  /** Those by which a call may be agreed on. */
  readonly bars: readonly Bar[]
  readonly isTouched: boolean
}

export function soundnessOf(chain: WorldChain, { bars, isTouched }: SoundnessOptions): Soundness {
  const operatorsWith = (kinds: ReadonlySet<Behavior['kind']>) =>
    new Set(
      chain.nodes
        .filter(
          ({ phases, delayMs }) =>
            phases.some(({ behavior }) => kinds.has(behavior.kind)) ||
            (kinds === ignorant && delayMs > delayMsMax),
        )
        .map(({ operator }) => operator),
    )
  const isCalm = (kinds: ReadonlySet<Behavior['kind']>) =>
    !isTouched &&
    !chain.hasReorg &&
    bars.every((bar) => isQuorum(chain, bar, operatorsOf(chain))) &&
    chain.nodes.every((node) => node.delayMs === 0 && isPrompt(node, kinds))
  // During a reorg, honest nodes may be on either branch until the block has reached them.
  const liars = operatorsWith(untrue)
  return {
    liars,
    ignorant: operatorsWith(ignorant),
    isSound: !bars.some((bar) => isQuorum(chain, bar, liars)),
    isCalm: isCalm(honest),
    isCalmAtRest: isCalm(fragile),
    isTouched,
  }
}

/** It behaves so for as long as the world lasts, follows the chain and replies before its stall. */
export function isPrompt(
  { phases, latencyMs, stallMs, delayMs, inFlightMax, perSecond }: WorldNode,
  kinds: ReadonlySet<Behavior['kind']> = honest,
): boolean {
  return (
    phases.every(({ behavior }) => kinds.has(behavior.kind)) &&
    delayMs <= delayMsMax &&
    // The first call to a node takes three round trips: chain id, head, call.
    latencyMs * 4 < stallMs &&
    inFlightMax === 64 &&
    perSecond === null
  )
}
