import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Opening, openEarly, openingOf } from './early-opening.ts'
import type { Listener } from './next-pages.ts'

/** A build's style sheets by path. A character is a byte of UTF-8, as in the part of a page that they are written into. */
export type Sheets = ReadonlyMap<string, string>

export async function readSheets(files: ReadonlyMap<string, string>): Promise<Sheets> {
  const sheets = [...files].filter(([path]) => path.endsWith('.css'))
  return new Map(
    await Promise.all(
      sheets.map(async ([path, file]) => {
        const text = await readFile(file, 'latin1')
        return [path, text.replaceAll('../media/', '/_next/static/media/').replace(mapComment, '')] as const
      }),
    ),
  )
}

const mapComment = /\/\*# sourceMappingURL=.*?\*\//

const head = /<head>([\s\S]*?)<\/head>/
/** A sheet and a script of the build, as Next writes them. */
const sheetTag = /<link rel="stylesheet" href="([^"]+)" nonce="[^"]+" data-precedence="[^"]+"/g
const sheetHint = /<link rel="preload" href="([^"]+)" as="style"[^>]*>/g
const scriptTag = /<script src="\/_next\/static\/[^"]+" async="" nonce="([^"]+)"><\/script>/g

/** How often a page that is still arriving is searched for scripts to start. */
const againMs = 50

/** How long after it has loaded a page may be without a frame that shows something. */
const blankMs = 100

/**
 * Starts the scripts after the first frame. Those in the browser's cache start while it is drawn. To fetch and to compile the others
 * takes the processor that draws it, so they start when it is seen. Each is started as a copy without its nonce, because the nonce is
 * another at each load, and a browser compiles a script again when its nonce has changed. A script that does not have the nonce of this
 * response is not started. A tab in the background has no frames: there they start once the document has arrived. An error's page is blank
 * until its scripts run.
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
  const startHidden = () => {
    if (document.hidden) start()
  }
  requestAnimationFrame(() => {
    const isCached = performance.getEntriesByType('resource').some(({ transferSize }) => transferSize === 0)
    if (isCached) setTimeout(start)
    else new PerformanceObserver(start).observe({ type: 'paint', buffered: true })
  })
  addEventListener('load', () => setTimeout(start, ${blankMs}))
  addEventListener('DOMContentLoaded', startHidden)
  addEventListener('visibilitychange', startHidden)
}`

/**
 * The first part of a page with the text of its sheets, which would take one more round trip before anything is drawn, and with scripts
 * that start after the first frame. The tags of the sheets stay, so that React does not load them again.
 */
export function forFirstFrame(html: string, sheets: Sheets): string {
  return html.replace(head, (whole, inner: string) => {
    const [first] = inner.matchAll(scriptTag)
    const nonce = first?.[1]
    if (nonce === undefined) return whole
    const texts: string[] = []
    const rest = inner
      .replace(sheetHint, (tag, path: string) => (sheets.has(path) ? '' : tag))
      .replace(scriptTag, (tag) => tag.replace('<script', '<script type="late"'))
      .replace(sheetTag, (tag, path: string) => {
        const text = sheets.get(path)
        if (text === undefined) return tag
        texts.push(text)
        return `${tag} disabled=""`
      })
    const style = texts.length > 0 ? `<style nonce="${nonce}">${texts.join('')}</style>` : ''
    return `<head><script nonce="${nonce}">${starter}</script>${style}${rest}</head>`
  })
}

/**
 * Changes the first part that Next writes, and leaves its sheets out of what is loaded in advance. Of `earlyPages` the beginning is sent before
 * they are rendered, as it was when such a page was sent last. Next's compression replaces `write`, and then Next flushes the headers: a
 * `write` that is put in place there is given the part before it is compressed.
 */
export function withFirstPart(next: Listener, sheets: Sheets, earlyPages: readonly string[]): Listener {
  const openings = new Map<string, Opening>()
  return (request, response) => {
    const [path = ''] = (request.url ?? '').split('?', 1)
    const isEarly = earlyPages.includes(path) && isDocument(request)
    const opening = isEarly ? openings.get(path) : undefined
    let sent = ''
    if (opening) openEarly({ request, response }, opening, (text) => (sent = text))
    const { flushHeaders } = response
    response.flushHeaders = () => {
      const isPage = String(response.getHeader('content-type')).startsWith('text/html')
      if (isPage) leaveOutSheets(response, sheets)
      const link = String(response.getHeader('link') ?? '')
      flushHeaders.call(response)
      if (!isPage) return
      const { write } = response
      response.write = (part: Uint8Array) => {
        response.write = write
        // Byte by byte, because a character may end in the next part.
        const html = forFirstFrame(Buffer.from(part).toString('latin1'), sheets)
        const isAsSent = sent !== '' && html.startsWith(sent)
        if (isEarly && !isAsSent && response.statusCode === 200) learn(openings, path, { html, link })
        return write.call(
          response,
          Buffer.from(isAsSent ? html.slice(sent.length) : html, 'latin1'),
          'latin1',
        )
      }
    }
    return next(request, response)
  }
}

const isDocument = ({ method, headers }: IncomingMessage) =>
  method === 'GET' && headers.rsc === undefined && (headers.accept?.includes('text/html') ?? false)

function learn(
  openings: Map<string, Opening>,
  path: string,
  { html, link }: { readonly html: string; readonly link: string },
): void {
  const [text, nonce] = /^.*?<head><script nonce="([^"]+)">.*?<style.*?<\/style>/s.exec(html) ?? []
  if (text !== undefined && nonce !== undefined) openings.set(path, openingOf(text, nonce, link))
}

function leaveOutSheets(response: ServerResponse, sheets: Sheets): void {
  const links = String(response.getHeader('link') ?? '').split(', ')
  const others = links.filter((link) => !sheets.has(link.slice(1, link.indexOf('>'))))
  if (others.length < links.length) response.setHeader('link', others.join(', '))
}
