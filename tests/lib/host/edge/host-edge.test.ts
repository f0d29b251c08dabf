import { beforeEach, expect, test, vi } from 'vitest'
import { nodeHostVariable } from '#lib/config/env.ts'
import { answerOnEdge } from '#lib/host/edge/host-edge.ts'

beforeEach(() => void vi.stubEnv(nodeHostVariable, '1'))

test('the edge route of the gateway is disabled when server.ts is the host', async () => {
  const response = await answerOnEdge(new Request('http://app.example/', { method: 'POST' }))
  expect([response.status, await response.json()]).toEqual([404, { error: 'not found' }])
})
