import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { parseJson } from '#lib/parse-json.ts'
import type { Host } from '../support/host.ts'
import { bothHosts, sharedHosts } from '../support/hosts.ts'

/** What Next itself cannot read is refused before it tries: it would answer with 500, and log a stack for each. */
const { hostOf } = sharedHosts()

const pages = '/ /token /console /status /status/answers/x /answers/x /account /sign-in /nowhere'.split(' ')
const files = '/manifest.json /favicon.ico /.well-known/security.txt /.well-known/quorate.json'.split(' ')
const routes =
  '/api/rpc/137 /api/rpc/ready /api/rpc /api/rpc/answers/x /api/rpc/answers/x/evidence /api/rpc/events /api/rpc/history /api/rpc/nodes/137/a /api/auth/nonce /api/auth/session /api/auth/verify /api/operator/session /api/nowhere'.split(
    ' ',
  )
const everywhere = [...pages, ...files, ...routes]

const noUtf8 = ['%ff', '%', '%zz', '%c0%af', '%e2%80', '%ed%a0%80', '%F0%28%8C%28', '%u0041']
const below = [
  ...pages,
  '/api/rpc',
  '/api/rpc/137',
  '/api/rpc/answers',
  '/api/auth',
  '/api/nowhere',
  '/_next',
]

/** Every state: tests/lib/routes/page-request.test.ts. */
const routerStates: Readonly<Record<string, string>> = {
  'half an escape': '%',
  'no tree': '[]',
  'a parameter of an unknown type': '[["a","b","x",null],{}]',
}

const cookies: readonly string[] = [
  '%ff=%ff; =; ;;; a; __Host-x=%',
  'quorate-wallet=%7B%22; quorate-session=Fe26.2*x; __prerender_bypass=x; __next_preview_data=x; NEXT_LOCALE=%ff',
  'a=b; '.repeat(2000),
]

interface Sent {
  readonly what?: string
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
}

const withState = (target: string, state: string): Sent => ({
  target,
  headers: { rsc: '1', 'next-router-state-tree': encodeURIComponent(state) },
})
const toPages = (what: string, headers: Sent['headers'] & object): readonly Sent[] =>
  pages.map((target) => ({ what, target, headers }))

const refused: readonly Sent[] = [
  ...below.flatMap((path) =>
    noUtf8.map((end) => ({ what: 'no UTF-8', target: `${path.replace(/\/$/, '')}/${end}` })),
  ),
  ...everywhere.map((target) => ({ what: 'TRACE', method: 'TRACE', target })),
  ...Object.entries(routerStates).flatMap(([name, state]) =>
    [...pages, '/api/nowhere'].map((path) => ({ what: `router state: ${name}`, ...withState(path, state) })),
  ),
  ...toPages('a prefetch at run time', { rsc: '1', 'next-router-prefetch': '2' }),
  ...toPages('a prefetch at run time', { rsc: '1', 'next-router-prefetch': '3' }),
  ...toPages('a body', { 'content-length': '5' }),
  ...toPages('a body', { 'transfer-encoding': 'chunked' }),
  { what: 'no path', target: '*' },
  { what: 'no path', method: 'OPTIONS', target: '*' },
  { what: 'no url', target: 'http://[/' },
  { what: "Next's own page of an error", target: '/_global-error' },
]

describe.each(bothHosts)('%s', (kind) => {
  const host = () => hostOf(kind)
  const send = (sent: Sent) => answerTo(host(), sent)

  test('refuses what Next cannot read with 4xx and a reason, on every route, and logs no failure', async () => {
    const before = host().output().length
    const wrong: string[] = []
    await inTurn(refused, async (sent) => {
      const { status, headers, body } = await send(sent)
      const isPage = headers['content-type']?.startsWith('text/html') && status === 404
      if (status < 400 || status > 499 || !(isPage || hasReason(body)))
        wrong.push(`${sent.what} at ${sent.target}: ${status} ${body.slice(0, 80)}`)
    })
    expect(wrong).toEqual([])
    expect(host().output().slice(before)).not.toMatch(/Error|page-error/)
  })

  test('answers whatever cookies there are', async () => {
    const asked = cookies.flatMap((cookie) => everywhere.map((target) => ({ target, headers: { cookie } })))
    await inTurn(asked, async (sent) => {
      const { status } = await send(sent)
      expect([sent.target, status < 500]).toEqual([sent.target, true])
    })
  })

  test('reads the state that its own router sends', async () => {
    const state = '["",{"children":["token",{"children":["__PAGE__",{}]}]},null,null,16]'
    // Next redirects a request to the path with the hash of these headers in its query.
    const { headers } = await send(withState('/', state))
    const answer = await send(withState(headers.location ?? '/', state))
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/x-component'])
  })
})

async function answerTo({ port }: Host, { method = 'GET', target, headers = {} }: Sent) {
  const sending = request({ port, method, path: target, headers, agent: false }).end()
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

/** A JSON-RPC error, or `{ "error": sentence }`. */
function hasReason(body: string): boolean {
  const { error } = (parseJson(body) ?? {}) as { error?: string | { message?: unknown } }
  return typeof (error instanceof Object ? error.message : error) === 'string'
}

/** Eight at a time. */
async function inTurn<Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: 8 }, work))
}
