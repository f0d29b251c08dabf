import { beforeAll, expect, test } from 'vitest'
import type { Host } from '../support/host.ts'
import { hostsBeforeMadeUpNodes } from '../support/hosts.ts'

const { start } = hostsBeforeMadeUpNodes()
let dev: Host

beforeAll(async () => {
  dev = await start('dev')
})

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
