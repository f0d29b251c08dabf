import type { IncomingMessage, ServerResponse } from 'node:http'
import { compress, type Encoding, encodingFor } from './compress.ts'
import type { Hold } from './holdings.ts'
import { type HostResponse, plainBytesMax, unread } from './http.ts'
import { openBodyBytesMin, shortAnswerBytes } from './limits.ts'
import { type Outgoing, partBytes } from './outgoing.ts'

/**
 * Writes a response. A request whose body was not read to its end costs its connection, except under overload and for a short body:
 * Node reads and drops it, which is less work than a new connection.
 */
export function toNode(
  { status, headers, body }: HostResponse,
  request: IncomingMessage,
  response: ServerResponse,
  way: WayOut,
): void {
  if (typeof body !== 'string') {
    // A reader that takes nothing for so long will not come back for the rest.
    response.setTimeout(idleMsMax, () => response.destroy())
    response.writeHead(status, headers)
    void pour(body, response)
    return
  }
  if (status === 204) {
    response.writeHead(status, headers).end()
    return
  }
  const bytes = Buffer.byteLength(body)
  if (!request.complete && !(status === 503 && isShort(request))) {
    response.writeHead(status, { ...headers, 'content-length': bytes, connection: 'close' })
    response.write(body)
    endAfter(request, response)
    return
  }
  if (bytes <= plainBytesMax || request.method === 'HEAD') end({ status, headers, body }, bytes, response)
  else endLong({ status, headers, body }, bytes, { request, response, way })
}

function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= openBodyBytesMin
}

/** Writes what may be compressed and may be long: it has room while it leaves, or does not leave at all. */
function endLong(
  { status, headers, body }: TextResponse,
  bytes: number,
  { request, response, way }: { request: IncomingMessage; response: ServerResponse; way: WayOut },
): void {
  const { outgoing, caller } = way
  const hold = outgoing.hold(bytes, caller, () => response.destroy())
  if (hold === null) {
    toNode(unread, request, response, way)
    return
  }
  response.once('close', hold.end)
  const told = { ...headers, vary: headers.vary === undefined ? varies : `${headers.vary}, ${varies}` }
  const accept = request.headers['accept-encoding']
  const encoding = encodingFor(typeof accept === 'string' ? accept : null)
  const answer = { status, headers: told, body }
  if (encoding !== null) void endCompressed(answer, { encoding, hold, outgoing }, response)
  else if (bytes <= shortAnswerBytes) end(answer, bytes, response)
  else {
    response.writeHead(status, { ...told, 'content-length': bytes })
    void pourBytes(Buffer.from(body), response, outgoing)
  }
}

const varies = 'accept-encoding'

/** Where answers leave, and to whom. */
export interface WayOut {
  readonly outgoing: Outgoing
  readonly caller: string | null
}

interface TextResponse extends HostResponse {
  readonly body: string
}

/** Answers of this turn of the event loop. */
let leaving: Leaving[] = []

interface Leaving {
  readonly response: ServerResponse
  readonly body: string
  readonly encoding: 'latin1' | 'utf8'
}

/**
 * Answers of one turn of the event loop leave together at its end. Each write wakes the caller's process, or the proxy's: one
 * that is still awake when the next answer comes costs half as much, and the other requests of the turn do not wait for it.
 */
function end({ status, headers, body }: TextResponse, bytes: number, response: ServerResponse): void {
  response.writeHead(status, { ...headers, 'content-length': bytes })
  if (leaving.length === 0) setImmediate(leave)
  // Text of ASCII alone leaves in one cheap write with its head.
  leaving.push({ response, body, encoding: bytes === body.length ? 'latin1' : 'utf8' })
}

function leave(): void {
  const all = leaving
  leaving = []
  for (const { response, body, encoding } of all) response.end(body, encoding)
}

async function endCompressed(
  { status, headers, body }: TextResponse,
  { encoding, hold, outgoing }: { encoding: Encoding; hold: Hold; outgoing: Outgoing },
  response: ServerResponse,
): Promise<void> {
  try {
    const plain = Buffer.from(body)
    const packed = await compress(plain, encoding)
    if (response.destroyed) return
    hold.give(plain.length - packed.length)
    response.writeHead(status, {
      ...headers,
      'content-encoding': encoding,
      'content-length': packed.length,
    })
    await pourBytes(packed, response, outgoing)
  } catch {
    response.destroy()
  }
}

/** Writes an answer part by part, as fast as it is read; one that is read too slowly is cut. */
async function pourBytes(bytes: Buffer, response: ServerResponse, outgoing: Outgoing): Promise<void> {
  const pace = outgoing.pace(() => response.destroy())
  response.once('close', pace.end)
  let at = 0
  for (; at + partBytes < bytes.length && !response.destroyed; at += partBytes) {
    if (!response.write(bytes.subarray(at, at + partBytes))) await drained(response)
    pace.moved()
  }
  response.end(bytes.subarray(at))
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const resume = () => {
      response.off('drain', resume).off('close', resume)
      resolve()
    }
    response.on('drain', resume).on('close', resume)
  })
}

const idleMsMax = 120_000

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
      if (!response.write(read.value)) await drained(response)
      if (response.destroyed) return
    }
    response.end()
  } catch {
    response.destroy()
  }
}
