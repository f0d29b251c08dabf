import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseEnv } from '#lib/config/env.ts'
import { collectorAgent } from '#lib/transport/collector-agent.ts'
import { folderForOneTest } from '../../support/folder.ts'
import { listen } from '../../support/listen.ts'

test('a collector is trusted by the certificate that OpenTelemetry’s variables name, and shown ours', () => {
  const folder = folderForOneTest()
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

test.each(['HTTPS_PROXY', 'HTTP_PROXY'])(
  'a collector is reached through the proxy if only %s is set',
  async (name) => {
    const asked: (string | undefined)[] = []
    const proxy = createServer().on('connect', ({ url }, socket) => {
      asked.push(url)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
    onTestFinished(() => void proxy.close())
    const agent = new Agent(collectorAgent(parseEnv({ [name]: `http://127.0.0.1:${await listen(proxy)}` })))
    await once(
      request({ host: 'collector.invalid', method: 'POST', path: '/v1/traces', agent }).end(),
      'error',
    )
    expect(asked).toEqual(['collector.invalid:443'])
  },
)
