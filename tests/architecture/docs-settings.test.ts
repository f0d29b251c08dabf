import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseConfig } from '#rpc-proxy'
import { hostLimits } from '../../lib/limits/host-limits.ts'
import { chainFields, nodeFields } from '../../rpc-proxy/config/fields.ts'
import { root } from './support/sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const config = parseConfig(
  { version: 1, chains: [{ id: 5, nodes: [{ name: 'a', url: 'https://a.example' }] }] },
  {},
)
const [chain] = config.chains
const defaults = { ...config, ...chain, ...chain?.nodes[0] }

const valueAt = (path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], defaults)

/** Names and defaults of the rows of docs/configuration.md: several names in a row have as many defaults. */
const settings = [
  ...read('docs/configuration.md').matchAll(/^\| (`[a-z][\w.`, ]+) \| ([^|]+) \|/gim),
].flatMap(([, names = '', values = '']) => {
  const found = [...names.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)
  const given = found.length === 1 ? [values] : values.split(', ')
  return found.map((name, index) => [name, given[index] ?? values] as const)
})

describe('docs/configuration.md', () => {
  const optional = ['id', 'nodes', 'url']
  const named = settings.map(([name]) => name)

  test('has every setting of a chain, of a node and of the gateway', () => {
    const ofGateway = (['limits', 'rate', 'methods'] as const).flatMap((part) =>
      Object.keys(config[part] ?? {}).map((name) => `${part}.${name}`),
    )
    const all = [...Object.keys(chainFields), ...Object.keys(nodeFields), ...ofGateway]
    expect(all.filter((name) => !optional.includes(name) && !named.includes(name))).toEqual([])
  })

  test('has no other setting', () => {
    expect(named.filter((name) => valueAt(name) === undefined)).toEqual([])
  })

  const numbers = settings.filter(([, value]) => /^\d/.test(value))

  test.each(numbers)('says the default of %s: %s', (name, value) => {
    expect(numbers.length).toBeGreaterThan(12)
    expect(valueAt(name)).toBe(Number.parseInt(value, 10))
  })
})

describe('the limits of docs/security.md', () => {
  const rows = read('docs/security.md').split('\n')
  const cellsOf = (start: string) => rows.find((row) => row.startsWith(`| ${start}`))?.split('|') ?? []
  const amount = (count: number) => (count >= 1 << 20 ? `${count >> 20} MiB` : count.toLocaleString('en'))

  test.each([
    ['open bodies', hostLimits.openBodies.perCallerMax, hostLimits.openBodies.max],
    ['unsent bytes', hostLimits.outgoing.perCallerMax, hostLimits.outgoing.max],
    ['pages not read', hostLimits.openPages.perCallerMax, hostLimits.openPages.max],
    ['pages being rendered', hostLimits.renders.waitingPerCallerMax, hostLimits.renders.max],
    ['connections', hostLimits.connections.perCallerMax, null],
  ])('%s', (start, perCaller, max) => {
    const [, , ofCaller = '', inTotal = ''] = cellsOf(start)
    expect(ofCaller.trim()).toMatch(new RegExp(`^${amount(perCaller)}`))
    expect(inTotal.trim()).toMatch(new RegExp(`^${max === null ? '$' : amount(max)}`))
  })
})
