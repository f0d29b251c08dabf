import { describe, expect, test, vi } from 'vitest'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import { parseEnv } from '#lib/config/env.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import type { EvidenceSettings } from '#lib/routes/evidence-route.ts'
import { certify } from '#rpc-proxy/testing.ts'
import { evidence } from '../../support/evidence.ts'
import { hostRequest } from '../../support/host-request.ts'
import { routesOver } from './made-routes.ts'

const app = 'https://app.example'
const key = 'ab'.repeat(32)
const path = '/api/rpc/answers/answer-1/evidence'
const variables = {
  ...{ APP_ORIGIN: 'https://gateway.example', RPC_ALLOWED_ORIGINS: app },
  ...{ OPERATOR_TOKEN: 'x'.repeat(16), SIGNING_KEY: key },
}

function routesWith({ waitMs = 0, ...settings }: Partial<EvidenceSettings> & { waitMs?: number } = {}) {
  const spend = vi.fn(() => waitMs)
  const counts = createHostCounts()
  const gateway = {
    spend,
    certificate: (id: string) => (id === 'answer-1' ? certify(evidence({ needed: 2, block: null })) : null),
  }
  const engine = {
    gateway,
    certificate: async (id: string) => {
      const certificate = gateway.certificate(id)
      return certificate && { ...certificate, traceId: null }
    },
    config: () => ({ chains: [{ id: 137 }, { id: 1 }] }),
  }
  const routes = routesOver(engine, {}, { counts, env: { ...parseEnv(variables), ...settings } })
  const get = async (at: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await routes.answer(hostRequest({ path: at, headers, caller: '192.0.2.1' }))
    return { ...response, json: () => JSON.parse(String(response.body)) }
  }
  return { get, spend, counts }
}

describe('the evidence of an answer', () => {
  test('is for everybody, signed by the key that is published, and without the secret', async () => {
    const { get } = routesWith()
    const [answer, published] = [await get(path), await get('/.well-known/quorate.json')]
    expect([answer.status, published.status]).toEqual([200, 200])
    const [{ publicKey }] = published.json().keys
    expect(published.json()).toMatchObject({ certificateVersions: [1], chains: [137, 1] })
    expect(await checkCertificate(answer.json(), publicKey)).toMatchObject({
      verdict: 'valid',
      certificate: { id: 'answer-1', build: 'two', chainId: 137 },
    })
    expect(`${answer.body}${published.body}`).not.toContain(key)
  })

  test('is readable by the pages of a listed site, which the certificate of operators is not', async () => {
    const { get } = routesWith()
    const headers = { origin: app, host: 'gateway.example' }
    expect((await get(path, headers)).headers).toMatchObject({ 'access-control-allow-origin': app })
    const whole = await get('/api/rpc/answers/answer-1', headers)
    expect(whole.status).toBe(401)
    expect(whole.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each(['/api/rpc/answers/other/evidence', `${path}/more`, '/api/rpc/answers//evidence'])(
    '%s shows nothing',
    async (at) => {
      expect([401, 404]).toContain((await routesWith().get(at)).status)
    },
  )

  test('without a key says that it is not signed', async () => {
    const { get } = routesWith({ SIGNING_KEY: undefined })
    expect((await get(path)).json()).toMatchObject({ signature: null })
    expect((await get('/.well-known/quorate.json')).json().keys).toEqual([])
  })

  test('is not found where it is switched off', async () => {
    const { get } = routesWith({ PUBLIC_EVIDENCE: false })
    expect((await get(path)).status).toBe(404)
    expect((await get('/.well-known/quorate.json')).json().certificateVersions).toEqual([])
  })

  test('is paid for by who reads it; without budget it is 429 and counted', async () => {
    const { get, spend, counts } = routesWith({ waitMs: 1500 })
    expect(await get(path)).toMatchObject({ status: 429, headers: { 'retry-after': '2' } })
    expect(spend).toHaveBeenCalledWith(5, '192.0.2.1')
    const met = counts.series().find(({ labels }) => labels.limit === 'evidence_budget')
    expect(met?.value).toBe(1)
  })
})
