import { expect, test } from 'vitest'
import defaults from '#config'
import { chainRisk, parseConfig } from '#rpc-proxy'

const { chains } = parseConfig(defaults, {})

test.each(chains.map((chain) => [chain.id, chain] as const))(
  'chain %i as shipped: three voting operators, three witnesses, and no two operators that are more than half of all',
  (_, chain) => {
    const operators = (role: string) =>
      new Set(chain.nodes.filter((node) => node.role === role).map(({ operator }) => operator)).size
    expect(operators('voter')).toBeGreaterThanOrEqual(3)
    expect(operators('witness')).toBeGreaterThanOrEqual(3)
    expect(chainRisk(chain)).toBe(null)
    // What tightening costs a witness is bounded.
    for (const { role, perDay } of chain.nodes) if (role === 'witness') expect(perDay).not.toBe(null)
  },
)
