import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { withFirstPart } from '#lib/host/node/first-part.ts'

const sheets = new Map([
  ['/_next/static/a.css', '.a{color:red}'],
  ['/_next/static/b.css', '.b{color:blue}'],
])
const link = '</f.woff2>; rel=preload; as="font"; nonce="n1"'

interface Rendered {
  readonly sheet?: string
  readonly status?: number
  readonly location?: string
  readonly policy?: string
}

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A host whose pages are rendered when they are let go, each with a nonce of its own. */
async function host() {
  const renders: ((rendered?: Rendered) => void)[] = []
  let count = 0
  const next = async (_: IncomingMessage, response: ServerResponse): Promise<void> => {
    const nonce = `n${++count}`
    response.setHeader('vary', 'rsc')
    response.setHeader('content-security-policy', `script-src 'nonce-${nonce}'`)
    const {
      sheet = 'a',
      status = 200,
      location,
    } = await new Promise<Rendered>((resolve) => renders.push((rendered = {}) => resolve(rendered)))
    response.statusCode = status
    expect(response.headersSent).toBe(false)
    if (location) {
      response.setHeader('location', location)
      response.end()
      return
    }
    response.setHeader('link', link)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.flushHeaders()
    response.write(
      Buffer.from(
        `<!DOCTYPE html><html><head><link rel="stylesheet" href="/_next/static/${sheet}.css" nonce="${nonce}" data-precedence="next"/><script src="/_next/static/a.js" async="" nonce="${nonce}"></script><title>Tür</title></head><body>`,
      ),
    )
    response.write(Buffer.from('<p>für '))
    expect(response.headersSent).toBe(true)
    response.end('alle</p></body></html>')
  }
  const serve = withFirstPart(next as never, sheets, ['/'])
  const server = createServer((incoming, response) => void serve(incoming, response)).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const render = async (rendered?: Rendered) => {
    while (renders.length === 0) await new Promise((resolve) => setImmediate(resolve))
    renders.shift()?.(rendered)
  }
  /** The response, once its headers are there. */
  const get = async (path = '/', headers: Readonly<Record<string, string>> = {}) => {
    const sent = request({ port, path, headers: { accept: 'text/html', ...headers } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response
  }
  const whole = async (path = '/', rendered: Rendered = {}) => {
    const coming = get(path)
    await render(rendered)
    return textOf(await coming)
  }
  return { get, render, whole }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  const bytes = Buffer.concat(parts)
  return String(response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes)
}

const withoutNonce = (html: string) => html.replaceAll(/n\d+/g, 'n')

it.each([{}, { 'accept-encoding': 'gzip, br' }])(
  'sends the styles of a page before it is rendered, and then the rest of it: %o',
  async (headers) => {
    const { get, render, whole } = await host()
    const first = await whole()
    const response = await get('/', headers)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({
      link: '</f.woff2>; rel=preload; as="font"',
      vary: 'rsc, accept-encoding',
    })
    const [part] = (await once(response, 'data')) as [Buffer]
    response.unshift(part)
    await render()
    const text = await textOf(response)
    expect(withoutNonce(text)).toBe(withoutNonce(first))
    expect(text).toContain('<style nonce="n2">.a{color:red}</style>')
    expect(text).not.toContain('n1')
  },
)

it('sends the whole page where it has other styles now', async () => {
  const { get, render, whole } = await host()
  await whole()
  const response = await get()
  await render({ sheet: 'b' })
  expect(await textOf(response)).toMatch(/\.a\{.*<!DOCTYPE html>.*\.b\{.*<title>Tür<.*für alle/s)
  expect(await whole()).toMatch(/^<!DOCTYPE html>.*\.b\{.*<!DOCTYPE html>.*\.a\{/s)
})

it('redirects by HTML from a page that it has opened', async () => {
  const { get, render, whole } = await host()
  await whole()
  const response = await get()
  await render({ status: 307, location: '/sign-in?a=1&b="' })
  expect(await textOf(response)).toMatch(
    /<meta http-equiv="refresh" content="0;url=\/sign-in\?a=1&amp;b=&quot;">$/,
  )
})

it.each([
  ['of other pages', '/other', {}],
  ['of parts that scripts fetch', '/', { rsc: '1' }],
])('sends nothing early %s', async (_, path, headers) => {
  const { get, render, whole } = await host()
  await whole(path)
  const coming = get(path, headers)
  await render({ status: 404 })
  expect((await coming).statusCode).toBe(404)
})

it('learns nothing of a page that failed', async () => {
  const { get, render, whole } = await host()
  await whole('/', { status: 500 })
  const coming = get()
  await render({ status: 500 })
  expect((await coming).statusCode).toBe(500)
})
