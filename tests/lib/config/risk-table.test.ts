import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import defaults from '#config'
import { createGateway, parseConfig, systemClock } from '#rpc-proxy'

const document = readFileSync(join(import.meta.dirname, '../../../docs/risk.md'), 'utf8')

/** Weights of voters and of witnesses, each an operator of its own. */
const configured = (voters: readonly number[], witnesses: readonly number[]) => {
  const nodeOf = (role: string) => (weight: number, index: number) => ({
    ...{ name: `${role}${index}`, url: `http://${role}${index}.test/`, weight, role },
  })
  const nodes = [...voters.map(nodeOf('voter')), ...witnesses.map(nodeOf('witness'))]
  return { id: 1, operatorsMin: Math.min(2, voters.length), nodes }
}

/** All usable; the first voter cordoned; and no witness left either. */
function numbersOf(chain: object): string {
  const config = parseConfig({ chains: [chain], rate: null }, {})
  const nodes = config.chains[0]?.nodes ?? []
  const gateway = createGateway(config, {
    clock: systemClock(),
    random: Math.random,
    send: () => Promise.reject(new Error('nobody sends')),
  })
  const lies = () => gateway.snapshot().chains[0]?.operatorsToLie
  const cordon = (role: string, most: number) => {
    const found = nodes.filter((node) => node.role === role).toSorted((a, b) => b.weight - a.weight)
    for (const { name } of found.slice(0, most)) gateway.cordon(config.chains[0]?.id ?? 0, name, true)
  }
  const healthy = lies()
  cordon('voter', 1)
  const tightened = lies()
  cordon('witness', nodes.length)
  const thin = lies()
  gateway.close()
  const text = (value: number | null | undefined) => String(value ?? 'none')
  return [healthy?.everyday, tightened?.everyday, thin?.everyday, healthy?.protected].map(text).join(' | ')
}

const shapes = [
  ['1', [1], []],
  ['1, 1', [1, 1], []],
  ['1, 1, 1', [1, 1, 1], []],
  ['2, 2, 1', [2, 2, 1], []],
  ['1, 1, 1', [1, 1, 1], [1, 1]],
  ['1, 1, 1', [1, 1, 1], [1, 1, 1]],
  ['1, 1, 1, 1, 1', [1, 1, 1, 1, 1], [1, 1, 1, 1]],
] as const

const rows = shapes.map(
  ([name, voters, witnesses]) =>
    `| ${name} | ${witnesses.join(', ') || 'none'} | ${numbersOf(configured(voters, witnesses))} |`,
)
const shipped = defaults.chains.map((chain) => {
  const weightsOf = (role: string) =>
    parseConfig({ chains: [chain] }, {})
      .chains[0]?.nodes.filter((node) => node.role === role)
      .map(({ weight }) => weight)
      .join(', ')
  return `| ${weightsOf('voter')} (${chain.name ?? chain.id}, as shipped) | ${weightsOf('witness')} | ${numbersOf(chain)} |`
})

test.each(rows)('docs/risk.md has the row that is computed: %s', (row) => {
  expect(document).toContain(row)
})

test('what docs/risk.md says of a chain as shipped is what its nodes give; a fork’s own chains need no row', () => {
  const documented = document.split('\n').filter((row) => row.includes('as shipped)'))
  const names = defaults.chains.map(({ name }) => `(${name}, as shipped)`)
  const ofConfig = documented.filter((row) => names.some((name) => row.includes(name)))
  expect(shipped).toEqual(expect.arrayContaining(ofConfig))
})
