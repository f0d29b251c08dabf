import { beforeAll, expect, test } from 'vitest'
import type { Host } from '../support/host.ts'
import { hostsBeforeMadeUpNodes } from '../support/hosts.ts'

const { start } = hostsBeforeMadeUpNodes()
let dev: Host

beforeAll(async () => {
  dev = await start('dev')
})

const headers = { accept: 'application/json, text/event-stream' }

test('under npm run dev Next’s overlay maps the stack of an error', async () => {
  const frames = { frames: [], isServer: true, isEdgeServer: false, isAppDirectory: true }
  const reply = await dev.post('/__nextjs_original-stack-frames', frames, headers)
  expect([reply.status, await reply.json()]).toEqual([200, []])
})

test('under npm run dev an agent reaches Next’s MCP', async () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const reply = await dev.post('/_next/mcp', list, headers)
  expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('"get_errors"')])
})
