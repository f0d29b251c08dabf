import { isQuorum } from './recount.ts'
import { type Behavior, delayMsMax, type WorldChain } from './world.ts'

/** What the oracle may expect in a world. */
export interface Soundness {
  /** All nodes that may ever lie are fewer than a quorum: no lie may be returned. */
  readonly isSound: boolean
  /** The same, with an outdated null counted as a lie. */
  readonly isComplete: boolean
  /** No node is ever faulty, late or on another branch: every call must succeed. */
  readonly isCalm: boolean
  /** The same, except for work that is too heavy for a node. */
  readonly isCalmAtRest: boolean
  /** A node is cordoned at some time. */
  readonly isTouched: boolean
}

const untrue = new Set<Behavior['kind']>(['liar', 'forking', 'forger', 'balancer', 'stuck'])
const honest = new Set<Behavior['kind']>(['honest'])
const fragile = new Set<Behavior['kind']>(['honest', 'fragile'])
const ignorant = new Set<Behavior['kind']>([...untrue, 'lagging', 'no index'])

export function soundnessOf(chain: WorldChain, quorumMin: number): Omit<Soundness, 'isTouched'> {
  const bar = { quorum: quorumMin, operatorsMin: chain.operatorsMin }
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
    !chain.hasReorg &&
    chain.nodes.every(
      ({ phases, latencyMs, stallMs, delayMs, inFlightMax, perSecond }) =>
        phases.every(({ behavior }) => kinds.has(behavior.kind)) &&
        // The first call to a node takes three round trips: chain id, head, call.
        latencyMs * 4 < stallMs &&
        delayMs === 0 &&
        inFlightMax === 64 &&
        perSecond === null,
    )
  // During a reorg, honest nodes may be on either branch until the block has reached them.
  return {
    isSound: !isQuorum(chain, bar, operatorsWith(untrue)),
    isComplete: !isQuorum(chain, bar, operatorsWith(ignorant)),
    isCalm: isCalm(honest),
    isCalmAtRest: isCalm(fragile),
  }
}
