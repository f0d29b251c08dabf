import { type RealName, realNames } from './nodes/clients/client-profiles.ts'
import { type FaultProfileInput, parseFaultProfile } from './nodes/fault-profile.ts'

/** One node in front of each chain of the demo. */
export interface DemoNode {
  readonly name: string
  readonly faultProfile: FaultProfileInput
}

/** The default nodes of each chain: two honest ones, one that lags, one that lies. */
export const defaultNodes: readonly DemoNode[] = [
  { name: 'honest-a', faultProfile: 'honest' },
  { name: 'honest-b', faultProfile: 'honest' },
  { name: 'late', faultProfile: { kind: 'lagging', blocks: 2 } },
  { name: 'liar', faultProfile: 'lying' },
]

const nodesMax = 8

/**
 * Nodes named on the command line: clients and client profiles, or fault profiles such as `lying` and `hanging`. Repeated
 * names get a number. Throws with a list of valid names.
 */
export function nodesNamed(names: string): readonly DemoNode[] {
  const wanted = names.split(',').map((name) => name.trim())
  if (wanted.length > nodesMax) throw new Error(`--nodes takes ${nodesMax} nodes at most`)
  return wanted.map((name, index) => {
    const before = wanted.slice(0, index).filter((other) => other === name).length
    return { name: before === 0 ? name : `${name}-${before + 1}`, faultProfile: faultProfileNamed(name) }
  })
}

function faultProfileNamed(name: string): FaultProfileInput {
  if (realNames.includes(name as RealName)) return { kind: 'real', name: name as RealName }
  try {
    return parseFaultProfile(name)
  } catch {
    throw new Error(
      `--nodes: there is no node ${name}; there are ${realNames.join(', ')}, and honest, lagging, lying, hanging, slow, down, flapping, rate-limiting, garbage, resetting`,
    )
  }
}
