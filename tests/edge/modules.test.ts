import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderForOneFile } from '../support/folder.ts'
import { hostsBeforeMadeUpNodes } from '../support/hosts.ts'

/** What is not used is not loaded: sign-in alone takes 40 MiB. */
const file = join(folderForOneFile(), 'modules')
const { start } = hostsBeforeMadeUpNodes()

/** Parts of the gateway alone that only some setting or request needs. */
const optional = [
  'node_modules/viem/',
  'node_modules/iron-session/',
  'node_modules/@spruceid/',
  'node_modules/@opentelemetry/',
  'node_modules/@redis/',
  'node_modules/next/',
  'lib/sign-in/',
]

test('the gateway alone loads no sign-in, no tracing, no Redis and no pages, where nothing needs them', async () => {
  const preload = new URL('../support/list-modules.mjs', import.meta.url)
  const host = await start('alone', {
    env: { NODE_OPTIONS: `--import ${preload}`, MODULES_FILE: file },
  })
  expect(await (await host.call()).json()).toHaveProperty('result')
  const urls = readFileSync(file, 'utf8')
  // Otherwise this file would prove nothing.
  expect(urls).toContain('lib/config/config-file.ts')
  expect(urls).toContain('node_modules/zod/')
  expect(optional.filter((part) => urls.includes(part))).toEqual([])
})

test('an `import()` loads the same scripts in every script of the build', () => {
  const chunks = '.next/static/chunks'
  const loads = new Map<string, Set<string>>()
  for (const name of readdirSync(chunks).filter((name) => name.endsWith('.js')))
    for (const [, id = '', load = ''] of readFileSync(join(chunks, name), 'utf8').matchAll(
      /[,\]]([\de]+),\w+=>\{\w+\.v\(\w+=>Promise\.(.*?)\.then\(/g,
    )) {
      const scripts = load.match(/"[^"]+"/g) ?? []
      loads.set(id, (loads.get(id) ?? new Set()).add(scripts.toSorted().join()))
    }
  // The pattern must match loaders: without any, the next line proves nothing.
  expect(loads.size).toBeGreaterThan(100)
  expect([...loads].filter(([, lists]) => lists.size > 1)).toEqual([])
})
