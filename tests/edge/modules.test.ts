import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Nodes } from '../support/demo-nodes.ts'
import { type Host, startHost } from '../support/host.ts'
import { configOf, startMadeUpNodes } from '../support/made-up-nodes.ts'

/** What is not used is not loaded: sign-in alone takes 40 MiB. */
const folder = mkdtempSync(join(tmpdir(), 'quorate-modules-'))
const file = join(folder, 'modules')
let nodes: Nodes
let host: Host | undefined

beforeAll(async () => {
  nodes = await startMadeUpNodes()
})
afterEach(async () => {
  host?.signal('SIGKILL')
  await host?.ended
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await nodes.stop()
})

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

/** Those of the optional parts that the gateway alone has loaded after a call. */
async function loadedParts(env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  rmSync(file, { force: true })
  const preload = new URL('../support/list-modules.mjs', import.meta.url)
  const started = await startHost('alone', {
    config: configOf(nodes),
    env: { NODE_OPTIONS: `--import ${preload}`, MODULES_FILE: file, ...env },
  })
  host = started.host
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${host.url}/api/rpc/137`, { method: 'POST', headers, body })
  expect(await response.json()).toHaveProperty('result')
  const urls = readFileSync(file, 'utf8')
  // Otherwise this file would prove nothing.
  expect(urls).toContain('lib/config/config-file.ts')
  return optional.filter((part) => urls.includes(part))
}

describe('the gateway alone', () => {
  test('loads no sign-in, no tracing, no Redis and no pages', async () => {
    expect(await loadedParts()).toEqual([])
  })

  test('loads OpenTelemetry where a collector is configured, and only that', async () => {
    expect(await loadedParts({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })).toEqual([
      'node_modules/@opentelemetry/',
    ])
  })
})
