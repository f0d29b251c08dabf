import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { type HostResponse, plainBytesMax, type TextResponse, unread } from '../../http.ts'
import { BodyLimit } from '../../limits/body-limit.ts'
import { openBodyBytesMin, shortAnswerBytes } from '../../limits/host-limits.ts'
import { type Outgoing, partBytes, type ResponseContext } from '../../limits/outgoing.ts'
import type { Lease } from '../../limits/quota.ts'
import { compress, type Encoding, encodingFor } from './compress.ts'

/**
 * Writes a response. If the request's body was not fully read, the connection is closed. Except for a short body under overload:
 * Node reads and drops it, which is cheaper than a new connection.
 */
export function writeToNodeResponse(
  { status, headers, body }: HostResponse,
  request: IncomingMessage,
  response: ServerResponse,
  context: ResponseContext,
): void {
  if (typeof body !== 'string') {
    // A reader that takes nothing for this long is gone.
    response.setTimeout(idleMsMax, () => response.destroy())
    response.writeHead(status, headers)
    void pour(body, response)
    return
  }
  if (status === 204) {
    response.writeHead(status, headers).end()
    return
  }
  if (!request.complete && !(status === 503 && isShort(request))) {
    const bytes = Buffer.byteLength(body)
    response.writeHead(status, { ...headers, 'content-length': bytes, connection: 'close' })
    response.write(body)
    endAfter(request, response)
    return
  }
  if (request.method === 'HEAD') endHead({ status, headers, body }, request, response)
  else if (body.length <= plainBytesMax) end({ status, headers, body }, response)
  else endLong({ status, headers, body }, { request, response, context })
}

/** The head that GET would have, without the length where the body would be compressed or is a stream. */
function endHead(
  { status, headers, body }: TextResponse,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const bytes = Buffer.byteLength(body)
  const isKnown =
    body !== '' && (body.length <= plainBytesMax || encodingFor(request.headers['accept-encoding']) === null)
  response.writeHead(status, isKnown ? { ...headers, 'content-length': bytes } : headers).end()
}

function isShort({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length']) <= openBodyBytesMin
}

/**
 * Writes an answer that may be compressed and may be long, if there is room for it in the limits. It is not encoded before: as a text it
 * shares the cached result, and copies of refused ones would fill the heap until they are collected.
 */
function endLong(
  { status, headers, body }: TextResponse,
  {
    request,
    response,
    context,
  }: { request: IncomingMessage; response: ServerResponse; context: ResponseContext },
): void {
  // One that has closed says so to no listener: the lease would never end.
  if (response.destroyed) return
  const { outgoing, caller } = context
  const lease = outgoing.acquire(body.length, caller, () => response.destroy())
  if (lease === null) {
    writeToNodeResponse(unread, request, response, context)
    return
  }
  response.once('close', lease.end)
  const sendHeaders = { ...headers, vary: headers.vary === undefined ? varies : `${headers.vary}, ${varies}` }
  const encoding = encodingFor(request.headers['accept-encoding'])
  const answer = { status, headers: sendHeaders, body }
  if (encoding !== null) void endCompressed(answer, { encoding, lease, outgoing }, response)
  else if (body.length <= shortAnswerBytes) end(answer, response)
  else {
    const bytes = Buffer.from(body)
    lease.give(body.length - bytes.length)
    response.writeHead(status, { ...sendHeaders, 'content-length': bytes.length })
    void pourBytes(bytes, response, outgoing)
  }
}

const varies = 'accept-encoding'

/** Answers to write at the end of this event loop turn. */
let leaving: { response: ServerResponse; body: string; encoding: 'latin1' | 'utf8' }[] = []

/**
 * Writes all answers of one event loop turn together at its end. Each write wakes up the client's or proxy's process; if that
 * is still awake for the next answer, it costs half as much. And writes do not delay the other requests of the turn.
 */
function end({ status, headers, body }: TextResponse, response: ServerResponse): void {
  const bytes = Buffer.byteLength(body)
  response.writeHead(status, { ...headers, 'content-length': bytes })
  if (leaving.length === 0) setImmediate(leave)
  // ASCII text is written together with its head in one cheap write.
  leaving.push({ response, body, encoding: bytes === body.length ? 'latin1' : 'utf8' })
}

function leave(): void {
  const all = leaving
  leaving = []
  for (const { response, body, encoding } of all) response.end(body, encoding)
}

async function endCompressed(
  { status, headers, body }: TextResponse,
  { encoding, lease, outgoing }: { encoding: Encoding; lease: Lease; outgoing: Outgoing },
  response: ServerResponse,
): Promise<void> {
  try {
    const packed = await compress(Buffer.from(body), encoding)
    if (response.destroyed) return
    lease.give(body.length - packed.length)
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

/** Writes an answer part by part, as fast as it is read. Cuts it when it is read too slowly. */
async function pourBytes(bytes: Buffer, response: ServerResponse, outgoing: Outgoing): Promise<void> {
  const pace = outgoing.pace(() => response.destroy())
  response.once('close', pace.end)
  if (bytes.length <= partBytes) return void response.end(bytes)
  await pipeline(function* () {
    for (let at = 0; at < bytes.length; at += partBytes) {
      yield bytes.subarray(at, at + partBytes)
      pace.moved()
    }
  }, response).catch(() => {})
}

const idleMsMax = 120_000

/** How much and how long we still read after a refusal. */
const lingerBytesMax = 4 << 20
const lingerMs = 1000

/**
 * Reads and drops what a refused caller is still sending, for a moment, before the connection ends. Closing with unread bytes
 * would send a reset, which can discard the answer before the caller reads it.
 */
function endAfter(request: IncomingMessage, response: ServerResponse): void {
  const limit = new BodyLimit(lingerBytesMax)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  const timer = setTimeout(end, lingerMs)
  request.once('end', end).once('close', end)
  request.on('data', (chunk: Buffer) => {
    if (!limit.takes(chunk)) end()
  })
  request.resume()
}

/** A reader who leaves ends the stream at once, however long it would have been silent. */
async function pour(stream: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  if (response.destroyed) return stream.cancel()
  const reader = stream.getReader()
  response.once('close', () => reader.cancel().catch(() => {}))
  await pipeline(async function* () {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  }, response).catch(() => {})
}
