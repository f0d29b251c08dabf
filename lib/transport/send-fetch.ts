import { platformSignal, type Send, SendFault, type SendRequest, type SendResponse } from '#rpc-proxy'
import { BodyLimit } from '../limits/body-limit.ts'
import { GatheredBytes } from '../limits/gathered-bytes.ts'
import { WaitingQuota } from '../limits/waiting-quota.ts'
import { toSendFault } from './send-fault.ts'
import { sendHeaders } from './send-headers.ts'

/** The edge host's network, with Web platform APIs only. `replies` limits the memory of all replies being received. */
export function createFetchSend(replies: WaitingQuota = new WaitingQuota()): Send {
  /** Origins that have answered. Only these can have an idle connection. */
  const answered = new Set<string>()
  return async (request) => {
    try {
      return await read(await post(request, answered), request, replies)
    } catch (cause) {
      if (request.signal.aborted && !(cause instanceof SendFault)) throw new SendFault('cancelled', { cause })
      throw toSendFault(cause)
    }
  }
}

/**
 * A server may close an idle connection just when a request is sent on it. The platform does not report which connection it
 * used. So an idempotent request that fails before a response is sent again, if the server has answered before.
 */
async function post(
  { url, headers, body, signal, idempotent }: SendRequest,
  answered: Set<string>,
): Promise<Response> {
  const platform = platformSignal(signal)
  const attempt = () =>
    fetch(url, {
      method: 'POST',
      headers: sendHeaders(headers),
      body,
      signal: platform,
      redirect: 'manual',
      cache: 'no-store',
    })
  const { origin } = new URL(url)
  const response = await attempt().catch((cause: unknown) => {
    if (!idempotent || signal.aborted || !answered.has(origin)) throw cause
    return attempt()
  })
  answered.add(origin)
  return response
}

async function read(response: Response, request: SendRequest, replies: WaitingQuota): Promise<SendResponse> {
  const { status } = response
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await discard(response)
    throw new SendFault('redirect')
  }
  // Without a content-encoding, content-length is the body's size, so a large one is refused unread.
  const packed = response.headers.has('content-encoding')
  if (!packed && Number(response.headers.get('content-length') ?? 0) > request.bytesMax) {
    await discard(response)
    throw new SendFault('too-large')
  }
  return {
    status,
    retryAfter: response.headers.get('retry-after'),
    body: await gather(response, request, replies),
  }
}

/** Reads the decompressed body, waits for room in the quota, and cancels above the cap. */
async function gather(
  response: Response,
  { bytesMax, signal, onWait }: SendRequest,
  replies: WaitingQuota,
): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  if (reader === undefined) return new Uint8Array()
  const gathered = new GatheredBytes()
  const limit = new BodyLimit(bytesMax)
  const lease = replies.open(bytesMax)
  const stop = async (kind: SendFault['kind']) => {
    await reader.cancel().catch(() => {})
    throw new SendFault(kind)
  }
  signal.addEventListener('abort', lease.end)
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!limit.takes(read.value)) await stop('too-large')
      const room = lease.acquire(read.value.length)
      if (room !== true) {
        onWait?.()
        if (!(await room)) await stop('cancelled')
      }
      gathered.add(read.value)
    }
    return gathered.whole()
  } finally {
    signal.removeEventListener('abort', lease.end)
    lease.end()
  }
}

/** Frees the connection; errors don't matter any more. */
async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {})
}
