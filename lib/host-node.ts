import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BodyFault } from '#rpc-proxy'
import { callerOf } from './caller.ts'
import { compress, type Encoding, encodingFor } from './compress.ts'
import { createDeadlines } from './deadlines.ts'
import { type HostRequest, type HostResponse, plainBytesMax } from './exchange.ts'

/** What the Node host knows of a request's surroundings. */
export interface NodeSurroundings {
  readonly site: string | null
  readonly trustedHops: number
  /** False where nobody is counted, so that nobody's address is looked at. */
  readonly counts: boolean
}

/** A request of `node:http` as our routes take it. Costs next to nothing until something is asked of it. */
export function fromNode(
  request: IncomingMessage,
  response: ServerResponse,
  { site, trustedHops, counts }: NodeSurroundings,
): HostRequest {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const { headers } = request
  const header = (name: string) => {
    const value = headers[name]
    return typeof value === 'string' ? value : (value?.join(', ') ?? null)
  }
  let departure: AbortSignal | undefined
  return {
    method: request.method ?? 'GET',
    path: mark === -1 ? url : url.slice(0, mark),
    query: mark === -1 ? '' : url.slice(mark + 1),
    header,
    body: (bytesMax, ms) => readBody(request, bytesMax, ms),
    caller: counts
      ? callerOf(header('x-forwarded-for'), request.socket.remoteAddress ?? null, trustedHops)
      : null,
    origin: site,
    get secure() {
      return (site ?? `${header('x-forwarded-proto') ?? 'http'}:`).startsWith('https:')
    },
    get signal() {
      departure ??= departureOf(response)
      return departure
    },
  }
}

/** Writes a response. A request whose body was not read to its end costs its connection. */
export function toNode(
  { status, headers, body }: HostResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  // A reader that takes nothing for so long will not come back for the rest. Short answers wait in the kernel.
  if (typeof body !== 'string' || body.length > longAnswer)
    response.setTimeout(idleMsMax, () => response.destroy())
  if (typeof body !== 'string') {
    response.writeHead(status, headers)
    void pour(body, response)
    return
  }
  if (status === 204) {
    response.writeHead(status, headers).end()
    return
  }
  const bytes = Buffer.byteLength(body)
  if (!request.complete) {
    response.writeHead(status, { ...headers, 'content-length': bytes, connection: 'close' })
    response.write(body)
    endAfter(request, response)
    return
  }
  if (bytes > plainBytesMax && request.method !== 'HEAD') {
    const told = { ...headers, vary: headers.vary === undefined ? varies : `${headers.vary}, ${varies}` }
    const accept = request.headers['accept-encoding']
    const encoding = encodingFor(typeof accept === 'string' ? accept : null)
    if (encoding === null) end({ status, headers: told, body }, bytes, response)
    else void endCompressed({ status, headers: told, body }, encoding, response)
  } else end({ status, headers, body }, bytes, response)
}

const varies = 'accept-encoding'

interface TextResponse extends HostResponse {
  readonly body: string
}

function end({ status, headers, body }: TextResponse, bytes: number, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': bytes })
  // Text of ASCII alone leaves in one cheap write with its head.
  response.end(body, bytes === body.length ? 'latin1' : 'utf8')
}

async function endCompressed(
  { status, headers, body }: TextResponse,
  encoding: Encoding,
  response: ServerResponse,
): Promise<void> {
  try {
    const packed = await compress(Buffer.from(body), encoding)
    if (response.destroyed) return
    response.writeHead(status, {
      ...headers,
      'content-encoding': encoding,
      'content-length': packed.length,
    })
    response.end(packed)
  } catch {
    response.destroy()
  }
}

const longAnswer = 65_536
const idleMsMax = 120_000

function departureOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.closed) controller.abort()
  else
    response.once('close', () => {
      if (!response.writableFinished) controller.abort()
    })
  return controller.signal
}

const deadline = createDeadlines()

/** Reads a body as UTF-8, counting as it comes, until its end, the cap, the deadline or the caller's departure. */
function readBody(
  request: IncomingMessage,
  bytesMax: number,
  ms: number,
): Promise<{ text: string } | { fault: BodyFault }> {
  if (Number(request.headers['content-length'] ?? 0) > bytesMax)
    return Promise.resolve({ fault: 'too-large' })
  return new Promise((resolve) => {
    // Nearly every body is one chunk, and nearly none needs its deadline: both are kept off the usual way.
    let first: Buffer | undefined
    let more: Buffer[] | undefined
    let bytes = 0
    let isOpen = true
    const finish = (result: { text: string } | { fault: BodyFault }) => {
      if (!isOpen) return
      isOpen = false
      callOff()
      if ('fault' in result) request.pause()
      resolve(result)
    }
    const callOff = deadline(ms, () => finish({ fault: 'too-slow' }))
    request.on('data', (chunk: Buffer) => {
      if (!isOpen) return
      bytes += chunk.length
      if (bytes > bytesMax) return finish({ fault: 'too-large' })
      if (first === undefined) first = chunk
      else if (more === undefined) more = [first, chunk]
      else more.push(chunk)
    })
    request.on('end', () => {
      const whole = more === undefined ? (first ?? empty) : Buffer.concat(more, bytes)
      finish(isUtf8(whole) ? { text: whole.toString() } : { fault: 'not-utf8' })
    })
    request.on('close', () => finish({ fault: 'gone' }))
  })
}

const empty = Buffer.alloc(0)

/** How much and how long we still take in after a refusal. */
const lingerBytesMax = 4 << 20
const lingerMs = 1000

/**
 * Takes in and drops what a refused caller is still sending, for a moment, before the connection ends: closing on unread
 * bytes resets it, and a reset overtakes the answer that says why.
 */
function endAfter(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request.once('end', end).once('close', end)
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > lingerBytesMax) end()
  })
  request.resume()
}

async function pour(stream: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = stream.getReader()
  response.once('close', () => reader.cancel().catch(() => {}))
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (!response.write(read.value))
        await new Promise((resume) => response.once('drain', resume).once('close', resume))
      if (response.destroyed) return
    }
    response.end()
  } catch {
    response.destroy()
  }
}
