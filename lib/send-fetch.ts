import { type Send, SendFault, type SendRequest, type SendResponse } from '#rpc-proxy'
import { type ByteBudget, createByteBudget } from './byte-budget.ts'

/** The edge host's network. Everything in it is of the Web platform. `budget` is what all replies on their way may fill. */
export function createFetchSend(budget: ByteBudget = createByteBudget()): Send {
  return async (request) => {
    try {
      return await send(request, budget)
    } catch (cause) {
      if (cause instanceof SendFault) throw cause
      throw new SendFault(request.signal.aborted ? 'cancelled' : 'connection', { cause })
    }
  }
}

async function send(
  { url, headers, body, bytesMax, signal }: SendRequest,
  budget: ByteBudget,
): Promise<SendResponse> {
  const response = await fetch(url, {
    method: 'POST',
    headers: 'content-type' in headers ? headers : { 'content-type': 'application/json', ...headers },
    body,
    signal,
    redirect: 'manual',
    cache: 'no-store',
  })
  const { status } = response
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await discard(response)
    throw new SendFault('redirect')
  }
  // Without a content-encoding the length is that of what we get, so a giant is refused before it is read.
  const packed = response.headers.has('content-encoding')
  if (!packed && Number(response.headers.get('content-length') ?? 0) > bytesMax) {
    await discard(response)
    throw new SendFault('too-large')
  }
  return {
    status,
    retryAfter: response.headers.get('retry-after'),
    body: await gather(response, bytesMax, budget),
  }
}

/** Reads to the end, counting what came out of decompression, and cancels past the cap. */
async function gather(response: Response, bytesMax: number, budget: ByteBudget): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  if (reader === undefined) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let bytes = 0
  let held = 0
  const stop = async (kind: SendFault['kind']) => {
    await reader.cancel().catch(() => {})
    throw new SendFault(kind)
  }
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      bytes += read.value.length
      if (bytes > bytesMax) await stop('too-large')
      if (!budget.take(read.value.length)) await stop('busy')
      held = bytes
      chunks.push(read.value)
    }
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : join(chunks, bytes)
  } finally {
    budget.give(held)
  }
}

function join(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** Frees the connection; whether that works is of no interest any more. */
async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => {})
}
