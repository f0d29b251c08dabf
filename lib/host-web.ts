import type { BodyFault } from '#rpc-proxy'
import { callerOf } from './caller.ts'
import { type HostRequest, type HostResponse, plainBytesMax } from './exchange.ts'

/** A Web `Request` as our routes take it. There is no socket to look at, so callers are known by trusted hops alone. */
export function fromWeb(
  request: Request,
  { site, trustedHops }: { readonly site: string | null; readonly trustedHops: number },
): HostRequest {
  const { pathname, search, protocol } = new URL(request.url)
  const header = (name: string) => request.headers.get(name)
  return {
    method: request.method,
    path: pathname,
    query: search.slice(1),
    header,
    body: (bytesMax, ms) => readBody(request, bytesMax, ms),
    caller: callerOf(header('x-forwarded-for'), null, trustedHops),
    origin: site,
    secure: (site ?? `${header('x-forwarded-proto') ?? protocol}:`).startsWith('https:'),
    signal: request.signal,
  }
}

/**
 * What stands before the isolate compresses, the platform or `next start`: the edge runtime has no CompressionStream, and
 * Next drops its `content-encoding` and `content-length`. It would compress the shortest answer too, if that did not forbid it.
 */
export function toWeb({ status, headers, body }: HostResponse): Response {
  const isShort =
    typeof body === 'string' && body.length <= plainBytesMax && byteLength(body) <= plainBytesMax
  return new Response(body === '' ? null : body, {
    status,
    headers: isShort ? { ...headers, 'cache-control': 'no-store, no-transform' } : headers,
  })
}

const byteLength = (text: string): number => new TextEncoder().encode(text).length

/** Reads a body as UTF-8, counting as it comes: the edge runtime cuts giants at 10 MB and says nothing. */
async function readBody(
  request: Request,
  bytesMax: number,
  ms: number,
): Promise<{ text: string } | { fault: BodyFault }> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return { fault: 'too-large' }
  const reader = request.body?.getReader()
  if (reader === undefined) return { text: '' }
  let fault: BodyFault | undefined
  const timer = setTimeout(() => {
    fault = 'too-slow'
    reader.cancel().catch(() => {})
  }, ms)
  try {
    // `ignoreBOM` keeps the mark, which JSON does not allow; the Node host keeps it too.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    let bytes = 0
    let text = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length
      if (bytes > bytesMax) {
        reader.cancel().catch(() => {})
        return { fault: 'too-large' }
      }
      text += decoder.decode(read.value, { stream: true })
    }
    return fault === undefined ? { text: text + decoder.decode() } : { fault }
  } catch (cause) {
    // A decoder throws a TypeError of its own; a reader's failure means that the caller has left.
    return { fault: fault ?? (cause instanceof TypeError && !request.signal.aborted ? 'not-utf8' : 'gone') }
  } finally {
    clearTimeout(timer)
  }
}
