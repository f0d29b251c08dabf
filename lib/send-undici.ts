import { isUtf8 } from 'node:buffer'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { type Dispatcher, Pool } from 'undici'
import { type Send, SendFault, type SendRequest, type SendResponse } from '#rpc-proxy'
import { type ByteBudget, createByteBudget } from './byte-budget.ts'

export interface UndiciOptions {
  /** Connections to one origin; asks over it wait for one. */
  readonly connectionsMax?: number
  /** How long a connection is kept that nobody uses, where the node does not say. */
  readonly idleMs?: number
  /** What all replies on their way may fill. */
  readonly budget?: ByteBudget
}

interface Target {
  readonly pool: Pool
  readonly path: string
}

/** The Node host's network: one pool of kept connections per origin. */
export function createUndiciSend({
  connectionsMax = 128,
  idleMs = 10_000,
  budget = createByteBudget(),
}: UndiciOptions = {}): {
  readonly send: Send
  /** Ends every connection; what is in flight fails. */
  readonly close: () => Promise<void>
} {
  const pools = new Map<string, Pool>()
  // URLs come from the configuration alone, so both tables grow by a reload at most.
  const targets = new Map<string, Target>()

  function targetOf(url: string): Target {
    const known = targets.get(url)
    if (known !== undefined) return known
    const { origin, pathname, search } = new URL(url)
    const pool =
      pools.get(origin) ??
      new Pool(origin, {
        connections: connectionsMax,
        keepAliveTimeout: idleMs,
        // The engine's own deadlines are shorter; these are for a caller that forgot its signal.
        headersTimeout: 130_000,
        bodyTimeout: 130_000,
        connectTimeout: 10_000,
        allowH2: false,
      })
    pools.set(origin, pool)
    const target = { pool, path: pathname + search }
    targets.set(url, target)
    return target
  }

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        if (request.signal.aborted) return reject(new SendFault('cancelled'))
        const { pool, path } = targetOf(request.url)
        pool.dispatch(
          { method: 'POST', path, headers: headerList(request.headers), body: request.body },
          collect(request, budget, resolve, reject),
        )
      }),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}

/** Gathers one response under the cap; settles exactly once and takes its listener off the signal. */
function collect(
  { bytesMax, signal }: SendRequest,
  budget: ByteBudget,
  resolve: (response: SendResponse) => void,
  reject: (fault: SendFault) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = []
  let bytes = 0
  let status = 0
  let retryAfter: string | null = null
  let encoding: string | undefined
  let running: Dispatcher.DispatchController | undefined
  let settled = false
  let held = 0

  function settle(): void {
    settled = true
    signal.removeEventListener('abort', cancel)
    budget.give(held)
  }
  function hold(more: number): boolean {
    if (!budget.take(more)) return false
    held += more
    return true
  }
  function fail(kind: SendFault['kind'], cause?: unknown): void {
    if (settled) return
    settle()
    reject(new SendFault(kind, { cause }))
    running?.abort(stop)
  }
  function cancel(): void {
    fail('cancelled')
  }
  signal.addEventListener('abort', cancel)

  return {
    onRequestStart(controller) {
      running = controller
      if (settled) controller.abort(stop)
    },
    onResponseStart(_controller, statusCode, headers) {
      status = statusCode
      if (statusCode >= 300 && statusCode < 400) return fail('redirect')
      retryAfter = first(headers['retry-after'])
      encoding = first(headers['content-encoding'])?.trim().toLowerCase()
      if (encoding === undefined && Number(headers['content-length'] ?? 0) > bytesMax) fail('too-large')
    },
    onResponseData(_controller, chunk) {
      if (settled) return
      if (!hold(chunk.length)) return fail('busy')
      bytes += chunk.length
      // A short text grows a little when it is packed; what comes out of it is counted below.
      if (bytes > bytesMax + (encoding === undefined ? 0 : packingBytesMax)) return fail('too-large')
      chunks.push(chunk)
    },
    onResponseEnd() {
      if (settled) return
      const packed = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, bytes)
      const finish = (body: Buffer) => {
        if (settled) return
        settle()
        // A string spares the engine a decoder; what is not UTF-8 goes on as it is and is judged there.
        resolve({ status, retryAfter, body: isUtf8(body) ? body.toString() : body })
      }
      if (encoding === undefined || encoding === 'identity') return finish(packed)
      // What comes out may be as much as the cap.
      if (!hold(bytesMax)) return fail('busy')
      unpack(packed, encoding, bytesMax, finish, fail)
    },
    onResponseError(_controller, error) {
      fail('connection', error)
    },
  }
}

const packingBytesMax = 4096

// One error for every abort of ours: making a stack each time costs more than the request.
const stop = new Error('no longer wanted')

const unpackers: Readonly<Record<string, typeof gunzip>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: brotliDecompress,
}

/** Decompresses off the event loop; stops at the cap, however small the bomb was packed. */
function unpack(
  packed: Buffer,
  encoding: string,
  bytesMax: number,
  finish: (body: Buffer) => void,
  fail: (kind: SendFault['kind'], cause?: unknown) => void,
): void {
  // RFC 9110 8.4.1.2: some send `deflate` without the zlib wrapper, whose first byte ends in 8.
  const bare = encoding === 'deflate' && ((packed[0] ?? 8) & 15) !== 8
  const run = bare ? inflateRaw : unpackers[encoding]
  if (run === undefined) fail('connection', new Error('unknown content-encoding'))
  else
    run(packed, { maxOutputLength: bytesMax }, (error, body) => {
      if (error === null) return finish(body)
      fail('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'connection', error)
    })
}

const lists = new WeakMap<Readonly<Record<string, string>>, string[]>()

/** A node's headers as the flat list that undici takes fastest; nodes send the same object each time. */
function headerList(headers: Readonly<Record<string, string>>): string[] {
  const known = lists.get(headers)
  if (known !== undefined) return known
  const list = ['accept-encoding', 'gzip, deflate, br']
  if (!('content-type' in headers)) list.push('content-type', 'application/json')
  for (const [name, value] of Object.entries(headers)) list.push(name, value)
  lists.set(headers, list)
  return list
}

function first(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null
}
