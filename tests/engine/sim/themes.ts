import type { Chance } from '../../support/chance.ts'
import { type Behavior, hurts, since, type Theme, type WorldNode } from './world.ts'

/** The nodes of a theme, made of those that were drawn. */
export function arranged(
  chance: Chance,
  theme: Theme,
  nodes: readonly WorldNode[],
  lengthMs: number,
): readonly WorldNode[] {
  switch (theme) {
    case 'liar first':
      return nodes.map((node, index) => ({
        ...node,
        operator: node.name,
        weight: 1,
        priority: index === 0 ? 0 : 1,
        phases: since(0, index === 0 ? { kind: 'liar', group: 10 } : { kind: 'honest' }),
      }))
    case 'split operator':
      return nodes.map((node, index) =>
        index > 1
          ? node
          : {
              ...node,
              operator: 'o0',
              priority: index,
              stallMs: 100,
              phases: since(
                0,
                index === 0 ? { kind: 'slow', ms: chance.between(101, 900) } : { kind: 'liar', group: 11 },
              ),
            },
      )
    case 'missing logs':
      return nodes.map((node) =>
        chance.roll(0.5)
          ? node
          : { ...node, phases: since(0, chance.roll(0.7) ? { kind: 'no index' } : { kind: 'honest' }) },
      )
    case 'pending':
      return nodes.map((node) => ({
        ...node,
        delayMs: chance.between(0, 4000),
        ...(chance.roll(0.3) && { phases: since(0, { kind: 'liar', group: 12 }) }),
      }))
    case 'heavy work':
      return withHeavyWork(chance, nodes)
    case 'estimates':
      return withEstimates(chance, nodes)
    case 'falling back': {
      const fromMs = chance.int(lengthMs)
      const blocks = chance.between(1, 4)
      return nodes.map((node) => ({
        ...node,
        phases: since(fromMs, { kind: 'lagging', blocks }),
      }))
    }
    default:
      return nodes
  }
}

function withHeavyWork(chance: Chance, nodes: readonly WorldNode[]): readonly WorldNode[] {
  const batchCallsMax = chance.pick([1, 10])
  return nodes.map((node, index) => ({
    ...node,
    priority: index,
    stallMs: 750,
    inFlightMax: 64,
    perSecond: null,
    batchCallsMax,
    batchCharsMax: chance.between(60, 120),
    latencyMs: chance.between(1, 20),
    delayMs: 0,
    phases: since(0, index === 0 ? { kind: 'fragile', hurt: chance.pick(hurts) } : { kind: 'honest' }),
  }))
}

function withEstimates(chance: Chance, nodes: readonly WorldNode[]): readonly WorldNode[] {
  const mute = chance.pick<Behavior>([
    { kind: 'silent' },
    { kind: 'slow', ms: chance.between(300, 9000) },
    { kind: 'limiting', share: 1, style: chance.int(8) },
    { kind: 'lagging', blocks: 2 },
    { kind: 'honest' },
  ])
  const behaviors = [{ kind: 'liar', group: 10 } as const, mute]
  const positions = chance.roll(0.5) ? [0, 1] : [nodes.length - 1, 0]
  return nodes.map((node, index) => ({
    ...node,
    operator: node.name,
    weight: 1,
    phases: since(0, behaviors[positions.indexOf(index)] ?? { kind: 'honest' }),
  }))
}
