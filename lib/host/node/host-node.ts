import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { Abort, type BodyFault, type Signal } from '#rpc-proxy'
import type { HostRequest } from '../../http.ts'
import { BodyLimit } from '../../limits/body-limit.ts'
import { bufferOf } from '../../limits/buffer-of.ts'
import { callerOf } from '../../limits/caller-address.ts'
import { GatheredBytes } from '../../limits/gathered-bytes.ts'
import { openBodyBytesMin } from '../../limits/host-limits.ts'
import type { BodyReading, Surroundings } from '../../limits/surroundings.ts'

export interface NodeSurroundings extends Surroundings {
  /** Whether callers have budgets. If not, addresses are not read. */
  readonly counts: boolean
}

/** A response, or the socket of an upgrade. */
interface Departing {
  readonly closed: boolean
  readonly writableFinished: boolean
  readonly once: (event: 'close', listener: () => void) => unknown
}

/**
 * A `node:http` request as a `HostRequest`, evaluated lazily. A class and no object literal with getters: V8 creates a hidden
 * class for each such literal, which retains everything that the getters refer to until the next major collection.
 */
export class NodeRequest implements HostRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly caller: string | null
  readonly origin: string | null
  readonly #request: IncomingMessage
  readonly #response: Departing
  readonly #leaseBody: NodeSurroundings['leaseBody']
  #departure: Signal | undefined

  constructor(
    request: IncomingMessage,
    response: Departing,
    { site, trustedHops, counts, leaseBody }: NodeSurroundings,
  ) {
    const url = request.url ?? '/'
    const mark = url.indexOf('?')
    this.#request = request
    this.#response = response
    this.#leaseBody = leaseBody
    this.method = request.method ?? 'GET'
    this.path = mark === -1 ? url : url.slice(0, mark)
    this.query = mark === -1 ? '' : url.slice(mark + 1)
    this.origin = site
    this.caller = counts
      ? callerOf(this.header('x-forwarded-for'), request.socket.remoteAddress ?? null, trustedHops)
      : null
  }

  /** A field, because it is passed on without `this`. */
  readonly header = (name: string): string | null => {
    const value = this.#request.headers[name]
    return typeof value === 'string' ? value : (value?.join(', ') ?? null)
  }

  body(bytesMax: number, ms: number): ReturnType<HostRequest['body']> {
    const take: BodyReading['take'] = (bytes, cut) => this.#leaseBody(bytes, this.caller, cut)
    return readBody(this.#request, { bytesMax, ms, take })
  }

  get secure(): boolean {
    return (this.origin ?? `${this.header('x-forwarded-proto') ?? 'http'}:`).startsWith('https:')
  }

  get signal(): Signal {
    this.#departure ??= departureOf(this.#response)
    return this.#departure
  }
}

function departureOf(response: Departing): Signal {
  const departure = new Abort()
  if (response.closed) departure.abort()
  else
    response.once('close', () => {
      if (!response.writableFinished) departure.abort()
    })
  return departure
}

/** Reads a body as UTF-8 until its end, the limit, the deadline, or until the caller disconnects. */
function readBody(
  request: IncomingMessage,
  { bytesMax, ms, take }: BodyReading,
): ReturnType<HostRequest['body']> {
  const announced = Number(request.headers['content-length'] ?? bytesMax)
  if (announced > bytesMax) return Promise.resolve({ fault: 'too-large' })
  return new Promise((resolve) => {
    const gathered = new GatheredBytes()
    const limit = new BodyLimit(bytesMax)
    let isOpen = true
    const finish = (result: { text: string } | { fault: BodyFault }) => {
      if (!isOpen) return
      isOpen = false
      lease?.end()
      clearTimeout(timer)
      if ('fault' in result) request.pause()
      resolve(result)
    }
    const timer = setTimeout(finish, ms, { fault: 'too-slow' } as const)
    const lease = take(Math.max(announced, openBodyBytesMin), () => finish({ fault: 'too-slow' }))
    if (lease === null) return finish({ fault: 'too-many' })
    request.on('data', (chunk: Buffer) => {
      if (!isOpen) return
      if (!limit.takes(chunk)) return finish({ fault: 'too-large' })
      gathered.add(chunk)
    })
    request.on('end', () => {
      const whole = bufferOf(gathered.whole())
      finish(isUtf8(whole) ? { text: whole.toString() } : { fault: 'not-utf8' })
    })
    request.on('close', () => finish({ fault: 'gone' }))
  })
}
