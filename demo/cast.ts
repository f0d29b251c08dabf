import { type CharacterInput, parseCharacter } from './nodes/character.ts'
import { type RealName, realNames } from './nodes/makes/zoo.ts'

/** One node in front of each chain of the demo. */
export interface Role {
  readonly name: string
  readonly character: CharacterInput
  /** A voter by default. */
  readonly role?: 'witness'
}

/** The default voters of each chain: two honest ones, one that lags, one that lies. */
export const defaultVoters: readonly Role[] = [
  { name: 'honest-a', character: 'honest' },
  { name: 'honest-b', character: 'honest' },
  { name: 'late', character: { kind: 'lagging', blocks: 2 } },
  { name: 'liar', character: 'lying' },
]

/** Honest witnesses, so that protected calls find a majority although two of the voters are of no use. */
export const defaultNodes: readonly Role[] = [
  ...defaultVoters,
  ...['a', 'b', 'c'].map((letter) => ({
    name: `witness-${letter}`,
    character: 'honest' as const,
    role: 'witness' as const,
  })),
]

/** Those of a command line: without either option the default ones, with `--nodes` alone no witnesses. */
export function nodesFrom({ nodes, witnesses }: { nodes?: string; witnesses?: string }): readonly Role[] {
  if (nodes === undefined && witnesses === undefined) return defaultNodes
  const voters = nodes === undefined ? defaultVoters : nodesNamed(nodes)
  const others = witnesses === undefined ? [] : nodesNamed(witnesses)
  return [
    ...voters,
    ...others.map((role) => ({ ...role, name: `witness-${role.name}`, role: 'witness' as const })),
  ]
}

const nodesMax = 8

/**
 * Nodes named on the command line: clients and providers of the zoo, or characters such as `lying` and `hanging`. Repeated
 * names get a number. All that lie tell the same lie. Throws with a list of valid names.
 */
export function nodesNamed(names: string): readonly Role[] {
  const wanted = names.split(',').map((name) => name.trim())
  if (wanted.length > nodesMax) throw new Error(`--nodes and --witnesses take ${nodesMax} nodes each at most`)
  return wanted.map((name, place) => {
    const before = wanted.slice(0, place).filter((other) => other === name).length
    return { name: before === 0 ? name : `${name}-${before + 1}`, character: characterNamed(name) }
  })
}

function characterNamed(name: string): CharacterInput {
  if (realNames.includes(name as RealName)) return { kind: 'real', name: name as RealName }
  if (name === 'lying') return { kind: 'lying', voice: 'all' }
  try {
    return parseCharacter(name)
  } catch {
    throw new Error(
      `--nodes: there is no node ${name}; there are ${realNames.join(', ')}, and honest, lagging, lying, hanging, slow, down, flapping, rate-limiting, garbage, resetting`,
    )
  }
}
