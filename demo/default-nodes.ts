import { type RealName, realNames } from './nodes/clients/client-profiles.ts'
import { type FaultProfileInput, parseFaultProfile } from './nodes/fault-profile.ts'

/** One node in front of each chain of the demo. */
export interface DemoNode {
  readonly name: string
  readonly faultProfile: FaultProfileInput
  /** A voter by default. */
  readonly role?: 'witness'
}

/** The default voters of each chain: two honest ones, one that lags, one that lies. */
export const defaultVoters: readonly DemoNode[] = [
  { name: 'honest-a', faultProfile: 'honest' },
  { name: 'honest-b', faultProfile: 'honest' },
  { name: 'late', faultProfile: { kind: 'lagging', blocks: 2 } },
  { name: 'liar', faultProfile: 'lying' },
]

/** With honest witnesses, so that protected calls find a majority although two of the voters are of no use. */
export const defaultNodes: readonly DemoNode[] = [
  ...defaultVoters,
  ...asWitnesses(['a', 'b', 'c'].map((name) => ({ name, faultProfile: 'honest' }))),
]

/** Those of a command line: without either option the default ones, with `--nodes` alone no witnesses. */
export function nodesFrom(named: { nodes?: string; witnesses?: string }): readonly DemoNode[] {
  const { nodes, witnesses } = named
  if (nodes === undefined && witnesses === undefined) return defaultNodes
  return [
    ...(nodes === undefined ? defaultVoters : nodesNamed(nodes)),
    ...(witnesses === undefined ? [] : asWitnesses(nodesNamed(witnesses))),
  ]
}

function asWitnesses(nodes: readonly DemoNode[]): readonly DemoNode[] {
  return nodes.map((node) => ({ ...node, name: `witness-${node.name}`, role: 'witness' }))
}

const nodesMax = 8

/**
 * Nodes named on the command line: clients and client profiles, or fault profiles such as `lying` and `hanging`. Repeated
 * names get a number. All that lie tell the same lie. Throws with a list of valid names.
 */
export function nodesNamed(names: string): readonly DemoNode[] {
  const wanted = names.split(',').map((name) => name.trim())
  if (wanted.length > nodesMax) throw new Error(`--nodes and --witnesses take ${nodesMax} nodes each at most`)
  return wanted.map((name, index) => {
    const before = wanted.slice(0, index).filter((other) => other === name).length
    return { name: before === 0 ? name : `${name}-${before + 1}`, faultProfile: faultProfileNamed(name) }
  })
}

function faultProfileNamed(name: string): FaultProfileInput {
  if (realNames.includes(name as RealName)) return { kind: 'real', name: name as RealName }
  if (name === 'lying') return { kind: 'lying', lieName: 'all' }
  try {
    return parseFaultProfile(name)
  } catch {
    throw new Error(
      `--nodes: there is no node ${name}; there are ${realNames.join(', ')}, and honest, lagging, lying, hanging, slow, down, flapping, rate-limiting, garbage, resetting`,
    )
  }
}
