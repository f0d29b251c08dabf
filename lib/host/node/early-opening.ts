import type { IncomingMessage, ServerResponse } from 'node:http'
import { encodingFor } from './compress.ts'
import { type Deflated, deflatePart, GzipParts } from './gzip-parts.ts'

/** What every response of a page begins with: the same for whoever asks, but for the nonce. */
export interface Opening {
  readonly text: string
  /** The text between the nonces. */
  readonly between: readonly Deflated[]
  /** The header by which Next lets the browser load fonts in advance. */
  readonly link: string
}

const nonceMark = '\0'
const nonceInPolicy = /'nonce-([^']+)'/
const nonceAttribute = /; nonce="[^"]*"/g

/** A character of the text is a byte. */
export function openingOf(text: string, nonce: string, link: string): Opening {
  const marked = text.replaceAll(nonce, nonceMark)
  const between = marked.split(nonceMark).map((part) => deflatePart(Buffer.from(part, 'latin1')))
  return { text: marked, between, link: link.replace(nonceAttribute, '') }
}

/**
 * Sends the opening of a page, and compresses all of it, as soon as Next has set the headers of `proxy.ts`: the browser starts its
 * process, reads the styles and loads fonts while the page is rendered. To Next nothing has been sent until it writes: what it sets is ignored, and a
 * redirect becomes one by HTML, as in a page that Next streams.
 * `onOpen` gets the text that has been sent.
 */
export function openEarly(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  opening: Opening,
  onOpen: (text: string) => void,
): void {
  const isPacked = encodingFor(request.headers['accept-encoding'], ['gzip']) !== null
  // Next would compress each part on another thread, and have it only when the page is rendered.
  delete request.headers['accept-encoding']
  const { setHeader, flushHeaders } = response
  response.setHeader = (name, value) => {
    // The first header that is Next's own. Those of `proxy.ts` are set in the same turn.
    if (name.toLowerCase() === 'vary') {
      response.setHeader = setHeader
      queueMicrotask(open)
    }
    return setHeader.call(response, name, value)
  }

  function open(): void {
    const nonce = nonceInPolicy.exec(String(response.getHeader('content-security-policy')))?.[1]
    if (nonce === undefined || response.statusCode !== 200 || response.hasHeader('location')) return
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('cache-control', 'private, no-cache, no-store, max-age=0, must-revalidate')
    response.appendHeader('vary', 'accept-encoding')
    if (opening.link !== '') response.setHeader('link', opening.link)
    if (isPacked) response.setHeader('content-encoding', 'gzip')
    flushHeaders.call(response)
    const gzip = isPacked ? new GzipParts() : null
    const text = opening.text.replaceAll(nonceMark, nonce)
    const nonces = deflatePart(Buffer.from(nonce))
    const packed = opening.between.flatMap((part, at) => (at === 0 ? [part] : [nonces, part]))
    response.write(gzip ? gzip.add(packed) : Buffer.from(text, 'latin1'))
    hideFromNext(response, gzip)
    onOpen(text)
  }
}

function hideFromNext(response: ServerResponse, gzip: GzipParts | null): void {
  const write = response.write.bind(response)
  const end = response.end.bind(response)
  let location: string | undefined
  let isBegun = false
  response.setHeader = (name, value) => {
    if (name.toLowerCase() === 'location') location = String(value)
    return response
  }
  response.appendHeader = () => response
  response.writeHead = () => response
  response.removeHeader = () => {}
  Object.defineProperty(response, 'headersSent', { get: () => isBegun })
  response.write = (part: Uint8Array | string) => {
    isBegun = true
    return write(gzip ? gzip.next(Buffer.from(part)) : part)
  }
  response.end = (part?: unknown) => {
    isBegun = true
    if (part instanceof Uint8Array || typeof part === 'string') response.write(part)
    if (location !== undefined) response.write(refreshTo(location))
    if (gzip) write(gzip.end())
    return end()
  }
}

const refreshTo = (location: string) =>
  `<meta http-equiv="refresh" content="0;url=${location.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`
