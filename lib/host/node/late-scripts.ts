import type { ServerResponse } from 'node:http'

const head = /<head>([\s\S]*?)<\/head>/
/** A script of the build, as Next writes it. */
const script = /<script src="(\/_next\/static\/[^"]+)" async="" nonce="([^"]+)"><\/script>/g

/** How often a page that is still arriving is searched for scripts to start. */
const againMs = 50

/**
 * Starts the scripts after the first frame. Each is started as a copy without its nonce, because the nonce is another at each load, and
 * a browser compiles a script again when its nonce has changed. A script that does not have the nonce of this response is not started.
 * A tab in the background has no frames: there they start once the document has arrived.
 */
const starter = `{
  const { nonce } = document.currentScript
  const start = () => {
    for (const late of document.querySelectorAll('script[type=late]')) {
      if (late.nonce !== nonce) continue
      const script = late.cloneNode()
      script.nonce = ''
      script.removeAttribute('type')
      late.replaceWith(script)
    }
    if (document.readyState === 'loading') setTimeout(start, ${againMs})
  }
  requestAnimationFrame(() => setTimeout(start))
  addEventListener('DOMContentLoaded', start)
}`

/** The first part of a page, with scripts that are loaded at once and start after the first frame. */
export function withLateScripts(html: string): string {
  return html.replace(head, (whole, inner: string) => {
    const tags = [...inner.matchAll(script)]
    const nonce = tags[0]?.[2]
    if (nonce === undefined) return whole
    const links = tags.map(
      ([, path]) => `<link rel="preload" as="script" href="${path}" nonce="${nonce}" fetchpriority="low"/>`,
    )
    const late = inner.replace(script, (tag) => tag.replace('<script', '<script type="late"'))
    return `<head><script nonce="${nonce}">${starter}</script>${late}${links.join('')}</head>`
  })
}

/**
 * Makes the scripts of a page start late, by changing the first part that Next writes. Next's compression replaces `write`, and then
 * Next flushes the headers: a `write` that is put in place there is given the part before it is compressed.
 */
export function startScriptsLate(response: ServerResponse): void {
  const { flushHeaders } = response
  response.flushHeaders = () => {
    flushHeaders.call(response)
    if (!String(response.getHeader('content-type')).startsWith('text/html')) return
    const { write } = response
    response.write = (part: Uint8Array) => {
      response.write = write
      // Byte by byte, because a character may end in the next part.
      const html = withLateScripts(Buffer.from(part).toString('latin1'))
      return write.call(response, Buffer.from(html, 'latin1'), 'latin1')
    }
  }
}
