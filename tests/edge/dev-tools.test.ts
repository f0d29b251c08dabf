import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Nodes } from '../support/demo-nodes.ts'
import type { Host } from '../support/host.ts'
import { hostsForOneFile } from '../support/hosts.ts'
import { configOf, startMadeUpNodes } from '../support/made-up-nodes.ts'

const start = hostsForOneFile()
let nodes: Nodes
let dev: Host

beforeAll(async () => {
  nodes = await startMadeUpNodes()
  dev = await start('dev', { config: configOf(nodes) })
})
afterAll(() => nodes.stop())

const post = (path: string, body: unknown) =>
  fetch(`${dev.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(body),
  })

test('under npm run dev Next’s overlay maps the stack of an error', async () => {
  const frames = { frames: [], isServer: true, isEdgeServer: false, isAppDirectory: true }
  const reply = await post('/__nextjs_original-stack-frames', frames)
  expect([reply.status, await reply.json()]).toEqual([200, []])
})

test('under npm run dev an agent reaches Next’s MCP', async () => {
  const reply = await post('/_next/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('"get_errors"')])
})
