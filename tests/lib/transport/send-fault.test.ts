import { spawnSync } from 'node:child_process'
import { createServer, type LookupFunction, type Socket } from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createLookup } from '#lib/transport/name-lookup.ts'
import { toSendFault } from '#lib/transport/send-fault.ts'
import { type ConnectionFault, connectionFaults } from '#rpc-proxy'
import { createCertificate } from '../../support/certificates.ts'
import { listen } from '../../support/listen.ts'
import { type NameServer, startNameServer } from '../../support/name-server.ts'
import { serveForOneTest } from '../../support/serve.ts'
import { hosts, post, trustForOneFile } from './support.ts'

const dayMs = 86_400_000
const good = createCertificate({ name: 'good.example' })
const expired = createCertificate({ name: 'expired.example', toMs: Date.now() - dayMs / 2 })
const future = createCertificate({ name: 'future.example', fromMs: Date.now() + dayMs / 2 })
const untrusted = createCertificate({ name: 'untrusted.example' })
trustForOneFile([good, expired, future])

let names: NameServer
beforeAll(async () => {
  names = await startNameServer((name) => {
    if (name.startsWith('silent')) return 'silence'
    if (name.startsWith('broken')) return 'failure'
    return name.startsWith('unknown') ? 'no-such-name' : ['127.0.0.1']
  })
})
afterAll(() => names.stop())

const fails = (code: string) => Object.assign(new Error(code), { code })

/** Asks the name server, then a system that knows nothing either. */
const lookup: LookupFunction = (hostname, wanted, callback) => {
  // Never calls back: a connection that is not made in time.
  if (hostname === 'distant.example') return
  if (hostname === 'unroutable.example') callback(null, [{ address: '255.255.255.255', family: 4 }])
  else if (hostname === 'full.example') callback(fails('EMFILE'), '')
  else {
    const system = () => Promise.reject(fails(hostname === 'broken.example' ? 'EAI_AGAIN' : 'ENOTFOUND'))
    const limits = { lookupMsMax: 200 }
    createLookup({ servers: [names.address], hosts: () => '', limits, system })(hostname, wanted, callback)
  }
}

function portOf(server: ReturnType<typeof createServer>): Promise<number> {
  onTestFinished(() => void server.close())
  return listen(server)
}
const raw = (onRequest: (socket: Socket) => void) =>
  portOf(createServer((socket) => socket.on('error', () => {}).once('data', () => onRequest(socket))))
const secure = (certificate: tls.TlsOptions) =>
  portOf(tls.createServer(certificate, (socket) => socket.on('error', () => {})))

/** What each fault looks like on the wire: the URL of such a node. */
const nodes: Partial<Record<ConnectionFault, () => Promise<string> | string>> = {
  'name-not-found': () => 'http://unknown.example/',
  'name-server-failed': () => 'http://broken.example/',
  'connection-refused': async () => {
    const server = createServer()
    const port = await listen(server)
    server.close()
    return `http://127.0.0.1:${port}/`
  },
  'connection-reset': async () => `http://127.0.0.1:${await raw((socket) => socket.resetAndDestroy())}/`,
  'connection-closed': async () => `http://127.0.0.1:${await raw((socket) => socket.end())}/`,
  'connect-timeout': () => 'http://distant.example/',
  'no-route': () => 'http://unroutable.example/',
  'no-tls': async () => {
    const plain = await serveForOneTest((_, response) => response.end('{}'))
    return plain.replace('http://127.0.0.1', 'https://good.example')
  },
  'tls-failed': async () =>
    // An alert: handshake_failure.
    `https://good.example:${await raw((socket) => socket.end(Buffer.from('15030300020228', 'hex')))}/`,
  'certificate-expired': async () => `https://expired.example:${await secure(expired)}/`,
  'certificate-not-yet-valid': async () => `https://future.example:${await secure(future)}/`,
  'certificate-name': async () => `https://other.example:${await secure(good)}/`,
  'certificate-untrusted': async () => `https://untrusted.example:${await secure(untrusted)}/`,
  'no-http': async () => `http://127.0.0.1:${await raw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))}/`,
  'too-many-files': () => 'http://full.example/',
}

describe.each(hosts)('%s says why a node cannot be reached', (_host, createSend) => {
  test.each([...Object.entries(nodes), ['name-server-failed', () => 'http://silent.example/'] as const])(
    '%s',
    async (kind, url) => {
      expect(await post(createSend({ lookup, connectMs: 1000 }), await url())).toBe(kind)
    },
  )
})

test('every fault of the list is shown above, but for an unknown one and those of a proxy', () => {
  const shown = [...Object.keys(nodes), 'connection', 'proxy-failed']
  expect(shown.toSorted()).toEqual([...connectionFaults].toSorted())
})

const round: { cause?: unknown } = {}
round.cause = round

test.each([
  ['no object', 'text', 'connection'],
  ['an unknown code', { code: 'EWHATEVER' }, 'connection'],
  ['a cause within causes', { cause: { code: 'X', cause: { code: 'ECONNREFUSED' } } }, 'connection-refused'],
  ['a corrupt body', { code: 'Z_DATA_ERROR' }, 'malformed'],
  ['a response that never ends', { code: 'UND_ERR_BODY_TIMEOUT' }, 'timeout'],
  ['causes that go round', round, 'connection'],
])('reads %s', (_name, cause, kind) => {
  expect(toSendFault(cause).kind).toBe(kind)
})

test('a process that may open no more files says so, by address and by name', () => {
  const script = `
    import { openSync } from 'node:fs'
    import { UndiciNetwork } from '${join(import.meta.dirname, '../../../lib/transport/send-undici.ts')}'
    const { send } = new UndiciNetwork()
    const post = (url) => send({ url, headers: {}, body: '', bytesMax: 1, idempotent: true, signal: new AbortController().signal })
    await post('http://127.0.0.1:1/').catch(() => {})
    try { for (;;) openSync('/dev/null') } catch {}
    const kinds = await Promise.all(['http://127.0.0.1:1/', 'http://node.example/'].map((url) => post(url).catch(({ kind }) => kind)))
    process.stdout.write(kinds.join(' '), () => process.exit())`
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, script],
    { encoding: 'utf8' },
  )
  expect(stdout, stderr).toBe('too-many-files too-many-files')
})
