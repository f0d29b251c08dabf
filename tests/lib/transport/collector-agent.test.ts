import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseEnv } from '#lib/config/env.ts'
import { collectorAgent } from '#lib/transport/collector-agent.ts'

test('a collector is trusted by the certificate that OpenTelemetry’s variables name, and shown ours', () => {
  const folder = mkdtempSync(join(tmpdir(), 'collector-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  const name = (variable: string, text: string) => {
    writeFileSync(join(folder, text), text)
    vi.stubEnv(`OTEL_EXPORTER_OTLP_${variable}`, join(folder, text))
  }
  const filesOf = ({ ca, cert, key }: ReturnType<typeof collectorAgent>) => [ca, cert, key].map(String)
  expect(collectorAgent(parseEnv({}))).not.toHaveProperty('ca')
  name('CERTIFICATE', 'authority')
  name('CLIENT_CERTIFICATE', 'own')
  name('CLIENT_KEY', 'key')
  expect(filesOf(collectorAgent(parseEnv({})))).toEqual(['authority', 'own', 'key'])
  name('TRACES_CERTIFICATE', 'of-traces')
  expect(filesOf(collectorAgent(parseEnv({})))).toEqual(['of-traces', 'own', 'key'])
})
