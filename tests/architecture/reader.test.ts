import { describe, expect, test } from 'vitest'
import { read, sources, within } from './support/sources.ts'

const specifiers = (text: string) => read('lib/here.tsx', text).imports.map(({ specifier }) => specifier)

describe('the import parser behind all rules', () => {
  test.each([
    ["import { a } from './a.ts'", './a.ts'],
    ["import type { A } from './a.ts'", './a.ts'],
    ["import { type A } from './a.ts'", './a.ts'],
    ["import './a.ts'", './a.ts'],
    ["export { a } from './a.ts'", './a.ts'],
    ["export type { A } from './a.ts'", './a.ts'],
    ["export * from './a.ts'", './a.ts'],
    ["const a = await import('./a.ts')", './a.ts'],
    ["type A = import('./a.ts').A", './a.ts'],
    ["type A = typeof import('./a.ts')", './a.ts'],
    ["const a = require('./a.ts')", './a.ts'],
  ])('sees %s', (text, specifier) => {
    expect(specifiers(text)).toEqual([specifier])
  })

  test('is not fooled by comments, strings and markup', () => {
    const text = `
      // import { a } from './comment.ts'
      const said = "import { b } from './string.ts'"
      const shown = <p>import {'c'} from './markup.ts'</p>`
    expect(specifiers(text)).toEqual([])
  })

  test('resolves imports to files and packages', () => {
    const text =
      "import '../app/a.ts'; import '#lib/b.ts'; import '#rpc-proxy'; import '@x/y/z'; import 'next/link'"
    const { imports } = read('lib/deep/here.ts', text)
    expect(imports.map((seen) => ('path' in seen ? seen.path : 'name' in seen ? seen.name : ''))).toEqual([
      'lib/app/a.ts',
      'lib/b.ts',
      'rpc-proxy/index.ts',
      '@x/y',
      'next',
    ])
  })

  test.each([
    'const a = process.env.HOME',
    "const a = process['env']",
    'const a = globalThis.process?.env?.HOME',
    'const { env } = process',
    "import { env } from 'node:process'",
  ])('notices that the environment is read in: %s', (text) => {
    expect(read('lib/here.ts', text).readsEnvironment).toBe(true)
  })

  test('refuses a file it cannot parse instead of finding nothing in it', () => {
    expect(() => read('lib/here.ts', 'import from from from')).toThrow('lib/here.ts')
  })

  test.each(['app', 'demo', 'lib', 'rpc-proxy', 'scripts', 'tests'])('saw imports in %s', (area) => {
    expect(within(area).flatMap(({ imports }) => imports).length).toBeGreaterThan(5)
  })

  test('saw every folder of the engine and the hosts', () => {
    const paths = sources.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['server.ts', 'instrumentation.ts', 'quorate.config.ts']))
    expect(within('rpc-proxy').length).toBeGreaterThan(30)
  })
})
