import { expect, test } from 'vitest'
import { logRisks } from '#lib/observe/risk-lines.ts'
import { parseConfig } from '#rpc-proxy'

const node = (name: string, rest: object = {}) => ({ name, url: `http://${name}.test/`, ...rest })
const witness = (name: string) => node(name, { role: 'witness' })

test('a chain whose nodes leave two operators more than half of all weight is warned of at start, no other one', () => {
  const lines: unknown[] = []
  const config = parseConfig(
    {
      chains: [
        { id: 1, nodes: [node('a', { weight: 2 }), node('b', { weight: 2 }), node('c'), witness('d')] },
        { id: 2, nodes: [node('a'), node('b'), node('c'), witness('d')] },
        { id: 3, nodes: [node('a'), node('b'), node('c')] },
      ],
    },
    {},
  )
  logRisks(config, { write: ({ level, event, fields }) => lines.push([level, event, fields]) })
  expect(lines).toEqual([1, 3].map((chain) => ['warn', 'majority-of-two', { chain }]))
})
