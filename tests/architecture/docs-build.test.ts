import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import config from '#config'
import { parseConfig } from '#rpc-proxy'
import * as identity from '#site'
import { root } from './support/sources.ts'

const guide = (name: string) => readFileSync(join(root, 'docs/build', name), 'utf8')
/** The names in the first column of a guide's tables. */
const rows = (text: string) =>
  [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) => cell.match(/(?<=`)\w+(?=`)/g) ?? [])

test('the guide to the identity names every key of site.config.ts', () => {
  const { site, ...others } = identity
  const text = guide('identity.md')
  const missing = [...Object.keys(site), ...Object.keys(others)].filter((key) => !text.includes(`\`${key}\``))
  expect(missing).toEqual([])
  expect(rows(text).filter((key) => !(key in site || key in others))).toEqual([])
})

test('the guide to removing names every feature that can be off', () => {
  const features = guide('remove.md').split('To delete it')[0] ?? ''
  expect(rows(features).filter((row) => row !== 'features')).toEqual(Object.keys(identity.features))
})

test('the chain that the guide adds is a valid configuration', () => {
  const block = /^```ts\n(.*?)^```$/ms.exec(guide('chain.md'))?.[1]
  const chain = new Function('aggregator', `return [${block}][0]`)({ weight: 1, aggregator: true })
  const { chains } = parseConfig({ ...config, chains: [chain] }, {})
  expect(chains.at(-1)).toMatchObject({ id: 10, operatorsMin: 2, total: 5 })
})
