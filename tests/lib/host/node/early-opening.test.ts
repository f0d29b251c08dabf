import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { withFirstPart } from '#lib/host/node/first-part.ts'
import { serveForOneTest } from '../../../support/serve.ts'

const sheets = new Map([
  ['/_next/static/a.css', '.a{color:red}'],
  ['/_next/static/b.css', '.b{color:blue}'],
])
const link = '</f.woff2>; rel=preload; as="font"; nonce="n1"'

interface Rendered {
  readonly sheet?: string
  readonly status?: number
  readonly location?: string
}

/** A host whose pages are rendered when they are let go, each with a nonce of its own; one has been sent already, the `first`. */
async function host(path = '/', rendered: Rendered = {}) {
  const renders: ((rendered: Rendered) => void)[] = []
  let count = 0
  const next = async (_: IncomingMessage, response: ServerResponse): Promise<void> => {
    const nonce = `n${++count}`
    response.setHeader('vary', 'rsc')
    response.setHeader('content-security-policy', `script-src 'nonce-${nonce}'`)
    const given = await new Promise<Rendered>((resolve) => renders.push(resolve))
    const { sheet = 'a', status = 200, location } = given
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
  const origin = await serveForOneTest((incoming, response) => void serve(incoming, response))
  const render = async (rendered: Rendered = {}) => {
    await expect.poll(() => renders.length).toBeGreaterThan(0)
    renders.shift()?.(rendered)
  }
  /** The response, once its headers are there. */
  const get = async (path = '/', headers: Readonly<Record<string, string>> = {}) => {
    const sent = request(`${origin}${path}`, { headers: { accept: 'text/html', ...headers } }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response
  }
  const whole = async (path = '/', rendered?: Rendered) => {
    const coming = get(path)
    await render(rendered)
    return textOf(await coming)
  }
  return { get, render, whole, first: await whole(path, rendered) }
}

async function textOf(response: IncomingMessage): Promise<string> {
  const bytes = await buffer(response)
  return String(response.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes)
}

const withoutNonce = (html: string) => html.replaceAll(/n\d+/g, 'n')

it.each([{}, { 'accept-encoding': 'gzip, br' }])(
  'sends the styles of a page before it is rendered, and then the rest of it: %o',
  async (headers) => {
    const { get, render, first } = await host()
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
  const response = await get()
  await render({ sheet: 'b' })
  expect(await textOf(response)).toMatch(/\.a\{.*<!DOCTYPE html>.*\.b\{.*<title>Tür<.*für alle/s)
  expect(await whole()).toMatch(/^<!DOCTYPE html>.*\.b\{.*<!DOCTYPE html>.*\.a\{/s)
})

it('redirects by HTML from a page that it has opened', async () => {
  const { get, render } = await host()
  const response = await get()
  await render({ status: 307, location: '/sign-in?a=1&b="' })
  expect(await textOf(response)).toMatch(
    /<meta http-equiv="refresh" content="0;url=\/sign-in\?a=1&amp;b=&quot;">$/,
  )
})

it.each([
  ['of other pages', '/other', {}, 200],
  ['of parts that scripts fetch', '/', { rsc: '1' }, 200],
  ['of a page that failed', '/', {}, 500],
])('sends nothing early %s', async (_, path, headers, status) => {
  const { get, render } = await host(path, { status })
  const coming = get(path, headers)
  await render({ status: 404 })
  expect((await coming).statusCode).toBe(404)
})
