import { type BodyFault, header as names } from '#rpc-proxy'
import { type HostRequest, type HostResponse, plainBytesMax, unread } from '../../http.ts'
import { BodyLimit } from '../../limits/body-limit.ts'
import { callerOf } from '../../limits/caller-address.ts'
import { openBodyBytesMin } from '../../limits/host-limits.ts'
import { partBytes, type ResponseContext } from '../../limits/outgoing.ts'
import type { BodyReading, Surroundings } from '../../limits/surroundings.ts'
import { splitKey } from '../../routes/key-path.ts'

/** A Web `Request` as a `HostRequest`. There is no socket, so callers are known by trusted hops only. */
export function fromWeb(request: Request, { site, trustedHops, leaseBody }: Surroundings): HostRequest {
  const { pathname, search, protocol } = new URL(request.url)
  const { target, key } = splitKey(pathname)
  const header = (name: string) => (key !== null && name === names.key ? key : request.headers.get(name))
  const caller = callerOf(header('x-forwarded-for'), null, trustedHops)
  return {
    method: request.method,
    path: target,
    query: search.slice(1),
    header,
    body: (bytesMax, ms) =>
      readBody(request, { bytesMax, ms, take: (bytes, cut) => leaseBody(bytes, caller, cut) }),
    caller,
    origin: site,
    secure: (site ?? `${header('x-forwarded-proto') ?? protocol}:`).startsWith('https:'),
    signal: request.signal,
  }
}

/**
 * Does not compress: the edge runtime has no CompressionStream, and Next drops `content-encoding` and `content-length`. The
 * platform or `next start` compresses instead, even the shortest answer, unless `no-transform` forbids it.
 */
export function toWeb(answer: HostResponse, context?: ResponseContext): Response {
  const { status, headers, body } = answer
  if (typeof body !== 'string' || body === '') return new Response(body || null, { status, headers })
  if (context !== undefined && body.length > partBytes) {
    const parts = partsOf(body, context)
    return parts === null ? toWeb(unread) : new Response(parts, { status, headers })
  }
  const bytes = new TextEncoder().encode(body)
  const isPlain = bytes.length <= plainBytesMax
  return new Response(bytes, {
    status,
    headers: isPlain ? { ...headers, 'cache-control': 'no-store, no-transform' } : headers,
  })
}

/** Streams an answer as fast as it is read; fails when it is read too slowly. Null, and nothing encoded, when there is no room for it. */
function partsOf(body: string, { outgoing, caller }: ResponseContext): ReadableStream<Uint8Array> | null {
  let cut = () => {}
  const lease = outgoing.acquire(body.length, caller, () => cut())
  if (lease === null) return null
  const bytes = new TextEncoder().encode(body)
  lease.give(body.length - bytes.length)
  const pace = outgoing.pace(() => cut())
  let at = 0
  const end = () => {
    pace.end()
    lease.end()
  }
  return new ReadableStream(
    {
      start(controller) {
        cut = () => {
          end()
          controller.error(new Error('read too slowly'))
        }
      },
      pull(controller) {
        pace.moved()
        controller.enqueue(bytes.subarray(at, at + partBytes))
        at += partBytes
        if (at < bytes.length) return
        end()
        controller.close()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

/** Null for a length that is absent, or malformed: a platform need not have checked it, and NaN would spoil every sum. */
function lengthOf(contentLength: string | null): number | null {
  return contentLength !== null && /^\d+$/.test(contentLength) ? Number(contentLength) : null
}

/** Reads a body as UTF-8 up to the limit. Counts itself, because the edge runtime silently truncates at 10 MB. */
async function readBody(
  request: Request,
  { bytesMax, ms, take }: BodyReading,
): Promise<{ text: string } | { fault: BodyFault }> {
  const announced = lengthOf(request.headers.get('content-length')) ?? bytesMax
  if (announced > bytesMax) return { fault: 'too-large' }
  const reader = request.body?.getReader()
  if (reader === undefined) return { text: '' }
  let fault: BodyFault | undefined
  const giveUp = () => {
    fault = 'too-slow'
    reader.cancel().catch(() => {})
  }
  const lease = take(Math.max(announced, openBodyBytesMin), giveUp)
  if (lease === null) return { fault: 'too-many' }
  const timer = setTimeout(giveUp, ms)
  try {
    // `ignoreBOM` keeps the BOM, so that JSON parsing fails, as on the Node host.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const limit = new BodyLimit(bytesMax)
    let text = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!limit.takes(read.value)) {
        reader.cancel().catch(() => {})
        return { fault: 'too-large' }
      }
      text += decoder.decode(read.value, { stream: true })
    }
    return fault === undefined ? { text: text + decoder.decode() } : { fault }
  } catch (cause) {
    // The decoder throws a TypeError. Any other failure means that the caller has disconnected.
    return { fault: fault ?? (cause instanceof TypeError && !request.signal.aborted ? 'not-utf8' : 'gone') }
  } finally {
    clearTimeout(timer)
    lease.end()
  }
}
