import { afterEach, expect, test, vi } from 'vitest'
import { nodeHostVariable } from '#lib/env.ts'
import { answerOnEdge } from '#lib/host-edge.ts'

afterEach(() => void vi.unstubAllEnvs())

test('the edge route answers nothing where server.ts is the host', async () => {
  vi.stubEnv(nodeHostVariable, '1')
  const response = await answerOnEdge(new Request('http://app.example/api/rpc/137', { method: 'POST' }))
  expect([response.status, await response.json()]).toEqual([404, { error: 'not found' }])
})
