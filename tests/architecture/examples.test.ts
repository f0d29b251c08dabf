import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { read, root, within } from './support/sources.ts'

/** Variables that examples use without declaring them. */
const context = {
  'address, token, to': '`0x${string}`',
  'key, path, caller, url': 'string',
  'bytes, bytesMax': 'number',
  'json, cause, error': 'unknown',
  'tooMany, busy': 'null',
  'answer, body, call, config, isHash, replies, told, transaction': 'any',
  abi: 'Abi',
  args: 'readonly [`0x${string}`, bigint]',
  amount: 'bigint',
  certificate: '{ readonly method: string }',
  entries: 'readonly unknown[]',
  env: 'Record<string, string>',
  gateway: 'Gateway',
  header: '() => null',
  queries: 'QueryClient',
  response: 'Response',
  send: 'Send',
  signal: 'AbortSignal',
  slots: 'FairSlots',
  socket: "Socket & Pick<WebSocket, 'send' | 'close'>",
  'Supply, Orders': '(props: { of?: string }) => null',
  work: '() => Promise<void>',
}
/** A contract that only a fork has in its site.config.ts. */
const ofFork = "'staking'"
const packages = {
  'node:net': ['Socket'],
  viem: ['Abi', 'createPublicClient', 'erc20Abi'],
  'viem/chains': ['polygon'],
  'wagmi/actions': ['sendTransaction'],
  '@tanstack/react-query': ['dehydrate', 'HydrationBoundary', 'QueryClient'],
}

const files = ['rpc-proxy', 'lib', 'app'].flatMap(within).map(({ path }) => ({ path, text: read(path) }))
const exampleText = /\/\*\*(?:(?!\*\/)[\s\S])*@example((?:(?!\*\/)[\s\S])*)\*\//g
const examples = files
  .flatMap(({ path, text }) => [...text.matchAll(exampleText)].map(([, code = '']) => ({ path, code })))
  .map(({ path, code }) => ({ path, code: code.replaceAll(/^ *\* ?/gm, '').trim() }))
  .filter(({ code }) => !code.includes(ofFork))
const exported = files.flatMap(({ path, text }) =>
  [...text.matchAll(/^export (?:async )?(?:function|class|const|interface|type) (\w+)/gm)].map(
    ([, name = '']) => ({ name, from: join(root, path), path }),
  ),
)
const importable = [
  ...Object.entries(packages).flatMap(([from, names]) => names.map((name) => ({ name, from }))),
  ...exported,
]

const variables = Object.entries(context).flatMap(([names, type]) =>
  names.split(', ').map((name) => ({ name, type })),
)

/** A module with the example as the body of a function, and imports of what it names. */
function moduleOf({ path, code }: (typeof examples)[number]): string {
  const wordsOf = (text: string) => [...new Set(text.match(/\w+/g))]
  const own = exported.filter((each) => each.path === path)
  const around = variables.filter(
    ({ name }) => wordsOf(code).includes(name) && !own.some((each) => each.name === name),
  )
  const text = `${code} ${around.map(({ type }) => type).join(' ')}`
  const imports = wordsOf(text)
    .filter((word) => !around.some(({ name }) => name === word))
    .flatMap((word) => [...own, ...importable].find(({ name }) => name === word) ?? [])
  return [
    ...imports.map(({ name, from }) => `import { ${name} } from '${from}'`),
    ...around.map(({ name, type }) => `declare const ${name}: ${type}`),
    code.startsWith('export')
      ? code
      : `export async function example(): Promise<unknown> {\n${code}\nreturn null\n}`,
  ].join('\n')
}

const folder = mkdtempSync(join(root, 'tests/.examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the examples of doc comments compile', () => {
  const wrong = { path: 'this test', code: 'const text: string = 5' }
  const all = [...examples, wrong]
  const loose = { verbatimModuleSyntax: false, isolatedModules: false, allowUnreachableCode: true }
  const tsconfig = {
    extends: '../../tsconfig.json',
    compilerOptions: { ...loose, incremental: false },
    include: ['./*', '../../next-env.d.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  for (const [place, example] of all.entries()) writeFileSync(join(folder, `${place}.tsx`), moduleOf(example))
  const args = ['--noEmit', '-p', folder, '--pretty', 'false']
  const { stdout } = spawnSync('node_modules/.bin/tsc', args, { cwd: root, encoding: 'utf8' })
  const faults = stdout.split('\n').flatMap((line) => {
    const [, place, what] = /^tests\/\.examples-\w+\/(\d+)\.tsx\(.*?: (.*)/.exec(line) ?? []
    const example = all[Number(place)]
    return example === undefined ? [] : [`${example.path}: ${what}\n${example.code}\n`]
  })
  expect(faults.join('\n')).toMatch(/^this test: .*TS2322.*\n.*\n$/)
})
