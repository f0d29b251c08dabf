import { isQuorum } from './recount.ts'
import { type Character, delayMsMax, type WorldChain } from './world.ts'

/** What a world allows the oracle to demand. */
export interface Soundness {
  /** All who may ever say something untrue are together below quorum: no lie may be returned. */
  readonly isSound: boolean
  /** The same, where saying "I do not have it" too late counts as untrue. */
  readonly isComplete: boolean
  /** Nobody is ever faulty, late or elsewhere: every call must succeed. */
  readonly isCalm: boolean
  /** The same, but for work that is too much for somebody. */
  readonly isCalmAtRest: boolean
}

const untrue = new Set<Character['kind']>(['liar', 'forking', 'forger', 'balancer', 'clinging'])
const honest = new Set<Character['kind']>(['honest'])
const delicate = new Set<Character['kind']>(['honest', 'delicate'])
const ignorant = new Set<Character['kind']>([...untrue, 'lagging', 'forgetful'])

export function soundnessOf(chain: WorldChain, quorumMin: number): Soundness {
  const bar = { quorum: quorumMin, operatorsMin: chain.operatorsMin }
  const operatorsWith = (kinds: ReadonlySet<Character['kind']>) =>
    new Set(
      chain.nodes
        .filter(
          ({ phases, delayMs }) =>
            phases.some(({ character }) => kinds.has(character.kind)) ||
            (kinds === ignorant && delayMs > delayMsMax),
        )
        .map(({ operator }) => operator),
    )
  const isCalm = (kinds: ReadonlySet<Character['kind']>) =>
    !chain.hasReorg &&
    chain.nodes.every(
      ({ phases, latencyMs, stallMs, delayMs, inFlightMax, perSecond }) =>
        phases.every(({ character }) => kinds.has(character.kind)) &&
        // The first call to a node takes three turns: who it is, its head, the call.
        latencyMs * 4 < stallMs &&
        delayMs === 0 &&
        inFlightMax === 64 &&
        perSecond === null,
    )
  // With a reorg under way honest nodes may stand on either branch for as long as a block takes to reach them.
  return {
    isSound: !isQuorum(chain, bar, operatorsWith(untrue)),
    isComplete: !isQuorum(chain, bar, operatorsWith(ignorant)),
    isCalm: isCalm(honest),
    isCalmAtRest: isCalm(delicate),
  }
}
