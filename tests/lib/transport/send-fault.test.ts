import { spawnSync } from 'node:child_process'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type LookupFunction, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFetchDispatcher } from '#lib/transport/fetch-dispatcher.ts'
import { createLookup } from '#lib/transport/name-lookup.ts'
import { toSendFault } from '#lib/transport/send-fault.ts'
import { createFetchSend } from '#lib/transport/send-fetch.ts'
import { UndiciNetwork } from '#lib/transport/send-undici.ts'
import { type ConnectionFault, connectionFaults, type Send, SendFault } from '#rpc-proxy'
import { createCertificate } from '../../support/certificates.ts'
import { listen } from '../../support/listen.ts'
import { type NameServer, startNameServer } from '../../support/name-server.ts'

const dayMs = 86_400_000
const certificates = {
  good: createCertificate({ name: 'good.example' }),
  expired: createCertificate({ name: 'expired.example', toMs: Date.now() - dayMs / 2 }),
  future: createCertificate({ name: 'future.example', fromMs: Date.now() + dayMs / 2 }),
  untrusted: createCertificate({ name: 'untrusted.example' }),
}
const { untrusted: _, ...trusted } = certificates

const servers: Server[] = []
let names: NameServer
const before = { dispatcher: getGlobalDispatcher(), authorities: tls.getCACertificates() }

function start(server: Server): Promise<number> {
  servers.push(server)
  return listen(server)
}

const raw = (onRequest: (socket: Socket) => void) =>
  start(createServer((socket) => socket.on('error', () => {}).once('data', () => onRequest(socket))))
const secure = ({ cert, key }: { readonly cert: string; readonly key: string }) =>
  start(tls.createServer({ cert, key }, (socket) => socket.on('error', () => {})))

let send: Send
let close: () => Promise<void>

beforeAll(async () => {
  tls.setDefaultCACertificates(Object.values(trusted).map(({ cert }) => cert))
  names = await startNameServer((name) => {
    if (name.startsWith('silent')) return 'silence'
    if (name.startsWith('broken')) return 'failure'
    return name.startsWith('unknown') ? 'no-such-name' : ['127.0.0.1']
  })
  const fails = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))
  const options = { servers: [names.address], hosts: () => '', limits: { lookupMsMax: 200 } }
  const byNameServer = createLookup({ ...options, system: fails('ENOTFOUND') })
  const broken = createLookup({ ...options, system: fails('EAI_AGAIN') })
  const lookup: LookupFunction = (hostname, wanted, callback) => {
    if (hostname === 'unroutable.example') callback(null, [{ address: '255.255.255.255', family: 4 }])
    else if (hostname === 'full.example') callback(Object.assign(new Error('open'), { code: 'EMFILE' }), '')
    else if (hostname === 'distant.example')
      // Never calls back: a connection that is not made in time.
      return
    else (hostname.startsWith('broken') ? broken : byNameServer)(hostname, wanted, callback)
  }
  const connect = { lookup, connectMs: 1000 }
  ;({ send, close } = new UndiciNetwork(connect))
  setGlobalDispatcher(createFetchDispatcher(connect))
})
afterAll(async () => {
  tls.setDefaultCACertificates(before.authorities)
  setGlobalDispatcher(before.dispatcher)
  await close()
  names.stop()
  for (const server of servers) server.close()
})

const plain = () => start(createHttpServer((_request, response) => response.end('{}')))

/** What each fault looks like on the wire: the URL of such a node. */
const nodes: Partial<Record<ConnectionFault, () => Promise<string> | string>> = {
  'name-not-found': () => 'http://unknown.example/',
  'name-server-failed': () => 'http://broken.example/',
  'connection-refused': async () => {
    const server = createServer()
    const port = await start(server)
    server.close()
    return `http://127.0.0.1:${port}/`
  },
  'connection-reset': async () => `http://127.0.0.1:${await raw((socket) => socket.resetAndDestroy())}/`,
  'connection-closed': async () => `http://127.0.0.1:${await raw((socket) => socket.end())}/`,
  'connect-timeout': () => 'http://distant.example/',
  'no-route': () => 'http://unroutable.example/',
  'no-tls': async () => `https://good.example:${await plain()}/`,
  'tls-failed': async () =>
    // An alert: handshake_failure.
    `https://good.example:${await raw((socket) => socket.end(Buffer.from('15030300020228', 'hex')))}/`,
  'certificate-expired': async () => `https://expired.example:${await secure(certificates.expired)}/`,
  'certificate-not-yet-valid': async () => `https://future.example:${await secure(certificates.future)}/`,
  'certificate-name': async () => `https://other.example:${await secure(certificates.good)}/`,
  'certificate-untrusted': async () => `https://untrusted.example:${await secure(certificates.untrusted)}/`,
  'no-http': async () => `http://127.0.0.1:${await raw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))}/`,
  'too-many-files': () => 'http://full.example/',
}

const hosts: readonly (readonly [string, Send])[] = [
  ['the Node host', (request) => send(request)],
  ['the edge host', createFetchSend()],
]

describe.each(hosts)('%s says why a node cannot be reached', (_host, post) => {
  test.each(Object.entries(nodes))('%s', async (kind, url) => {
    const thrown = await kindOf(post, await url())
    expect(thrown).toBe(kind)
  })

  test('name-server-failed, where the name server is silent', async () => {
    expect(await kindOf(post, 'http://silent.example/')).toBe('name-server-failed')
  })
})

async function kindOf(post: Send, url: string): Promise<string> {
  const { signal } = new AbortController()
  return post({ url, headers: {}, body: '{}', bytesMax: 1000, idempotent: true, signal }).then(
    ({ status }) => `HTTP ${status}`,
    (cause: unknown) => (cause instanceof SendFault ? cause.kind : String(cause)),
  )
}

test('every fault of the list is shown above, but for an unknown one and those of a proxy', () => {
  const shown = [...Object.keys(nodes), 'connection', 'proxy-failed']
  expect(shown.toSorted()).toEqual([...connectionFaults].toSorted())
})

test.each([
  ['no object', 'text', 'connection'],
  ['an unknown code', { code: 'EWHATEVER' }, 'connection'],
  ['a cause within causes', { cause: { code: 'X', cause: { code: 'ECONNREFUSED' } } }, 'connection-refused'],
  ['a corrupt body', { code: 'Z_DATA_ERROR' }, 'malformed'],
  ['a response that never ends', { code: 'UND_ERR_BODY_TIMEOUT' }, 'timeout'],
])('reads %s', (_name, cause, kind) => {
  expect(toSendFault(cause).kind).toBe(kind)
})

test('ends with causes that go round', () => {
  const cause: { cause?: unknown } = {}
  cause.cause = cause
  expect(toSendFault(cause).kind).toBe('connection')
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
