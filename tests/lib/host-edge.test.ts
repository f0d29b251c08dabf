import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nodeHostVariable } from '#lib/env.ts'
import { answerOnEdge } from '#lib/host-edge.ts'
import { POST } from '../../app/api/operator/session/route.ts'

beforeEach(() => void vi.stubEnv(nodeHostVariable, '1'))
afterEach(() => void vi.unstubAllEnvs())

test.each([
  ['gateway', answerOnEdge],
  ['login', POST],
])('the route of the %s answers nothing where server.ts is the host', async (_, answer) => {
  const response = await answer(new Request('http://app.example/', { method: 'POST' }))
  expect([response.status, await response.json()]).toEqual([404, { error: 'not found' }])
})
