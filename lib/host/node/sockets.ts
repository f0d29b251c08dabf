import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Connection, KeyedCaller } from '#rpc-proxy'
import type { Engine } from '../../engine/engine.ts'
import { type HostRequest, type HostResponse, refuse } from '../../http.ts'
import { hostLimits, socketLimits } from '../../limits/host-limits.ts'
import { createHostQuota } from '../../limits/quota.ts'
import type { HostCounts } from '../../observe/host-counts.ts'
import { base } from '../../public-names.ts'

interface SocketsOptions {
  readonly engine: Engine
  readonly counts: HostCounts
  /** Why this request may not become a socket; or whose key it has, and null for nobody's. */
  readonly admit: (request: HostRequest) => HostResponse | KeyedCaller | null
  /** Milliseconds that only go up. */
  readonly now?: () => number
  /** What all sockets share. */
  readonly limits?: Partial<Record<'socketsMax' | 'pingEveryMs' | 'waitingBytesAllMax', number>>
}

export type Sockets = ReturnType<typeof createSockets>

interface UpgradePair {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

/** Whether a request asks for a socket at an address of the gateway. */
export function isSocketRequest({ method, url = '', headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && method === 'GET' && gatewayPath.test(url)
}

const gatewayPath = new RegExp(`^${base}/\\d`)

/** WebSockets at the gateway's own addresses. */
export function createSockets({
  engine,
  counts,
  admit,
  now = () => performance.now(),
  limits = {},
}: SocketsOptions) {
  const { socketsMax, pingEveryMs, waitingBytesAllMax } = {
    ...{ ...socketLimits, socketsMax: hostLimits.sockets.max },
    ...limits,
  }
  const quota = createHostQuota('sockets', counts)
  const open = new Set<OpenSocket>()
  counts.watch('subscriptions', () => (open.size === 0 ? 0 : engine.gateway.subscriptions()))
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: socketLimits.frameBytesMax,
  })
  // Not a web socket's key or version.
  server.on('wsClientError', (_, socket) => writeError(badHandshake, socket))
  let timers: readonly NodeJS.Timeout[] = []
  let onEmpty = () => {}
  /** Those with a message of a subscription that waits for others. */
  const gathered: OpenSocket[] = []

  function errorFor(request: HostRequest, keyed: KeyedCaller | null): HostResponse | null {
    const waitMs = engine.gateway.spend(socketLimits.upgradeCost, request.caller, keyed)
    if (waitMs > 0)
      return refuse(429, 'too many requests', { 'retry-after': String(Math.ceil(waitMs / 1000)) })
    if (quota.inUse() < socketsMax) return null
    counts.met('sockets')
    return busy
  }

  function gather(socket: OpenSocket): void {
    if (gathered.length === gatherMax) uncorkGathered()
    if (gathered.length === 0) setTimeout(uncorkGathered, gatherMs)
    gathered.push(socket)
  }

  function uncorkGathered(): void {
    for (const socket of gathered.splice(0)) socket.uncork()
  }

  function accept(ws: WebSocket, request: HostRequest, stream: Duplex, keyed: KeyedCaller | null): void {
    const socket = new OpenSocket({ ws, stream, keyed }, request, { engine, counts, now, gather })
    open.add(socket)
    if (timers.length === 0)
      timers = [
        setInterval(() => ping(open), pingEveryMs).unref(),
        setInterval(() => closeSlowest(open, waitingBytesAllMax), slowestEveryMs).unref(),
      ]
    ws.once('close', () => {
      open.delete(socket)
      if (open.size > 0) return
      for (const timer of timers) clearInterval(timer)
      timers = []
      onEmpty()
    })
  }

  return {
    /** Makes a socket of an upgrade request, or refuses it with an HTTP response. */
    upgrade(request: HostRequest, pair: UpgradePair): void {
      const { socket } = pair
      const admitted = admit(request)
      const keyed = admitted === null || 'status' in admitted ? null : admitted
      const refused = admitted !== null && 'status' in admitted ? admitted : errorFor(request, keyed)
      const lease = refused === null ? quota.acquire(1, request.caller, () => {}) : null
      if (lease === null) {
        writeError(refused ?? tooMany, socket)
        return
      }
      // Also where the handshake fails.
      socket.once('close', lease.end)
      server.handleUpgrade(pair.request, socket, pair.head, (ws) => accept(ws, request, socket, keyed))
    },
    /** Closes each with 1012 once its calls are answered. Resolves when all are closed. */
    drain(): Promise<void> {
      for (const socket of open) socket.drain()
      return open.size === 0 ? Promise.resolve() : new Promise((resolve) => (onEmpty = resolve))
    },
    /** Ends those that have not closed. */
    end(): void {
      for (const socket of open) socket.terminate()
    },
  }
}

const badHandshake = refuse(400, 'bad request')
const busy = refuse(503, 'too many sockets', { 'retry-after': '5' })
const tooMany = refuse(429, 'too many sockets', { 'retry-after': '5' })

const slowestEveryMs = 1000
/** How long a subscription's message may wait for others: writes are most of what it costs. */
const gatherMs = 5
/** How many sockets' messages wait at most: what the first are sent arrives while the rest is written. */
const gatherMax = 64

/** Close codes of RFC 6455 §7.4.1 and the registry of IANA. */
const closeCodes = { policy: 1008, restart: 1012, later: 1013 } as const

interface SocketPorts extends Required<Pick<SocketsOptions, 'engine' | 'counts' | 'now'>> {
  /** Uncorks it in a moment: the messages of one block leave in one write. */
  readonly gather: (socket: OpenSocket) => void
}

interface Opened {
  readonly ws: WebSocket
  readonly stream: Duplex
  readonly keyed: KeyedCaller | null
}

class OpenSocket {
  readonly #ws: WebSocket
  readonly #stream: Duplex
  readonly #ports: SocketPorts
  readonly #connection: Connection
  #isAlive = true
  #isCorked = false
  #isDraining = false
  /** Messages that have not been answered. */
  #inFlight = 0
  #window = { startMs: Number.NEGATIVE_INFINITY, messages: 0, bytes: 0 }

  constructor(
    { ws, stream, keyed }: Opened,
    { path, header, caller, origin }: HostRequest,
    ports: SocketPorts,
  ) {
    this.#ws = ws
    this.#stream = stream
    this.#ports = ports
    this.#connection = ports.engine.gateway.connect({
      ...{ path, header, caller, origin, keyed },
      send: (text) => this.#send(text),
      notify: (head, rest) => this.#notify(head, rest),
      end: () => this.#close(closeCodes.restart, 'the chain is not served any more'),
    })
    ws.on('message', (data) => void this.#receive(data))
    ws.on('pong', () => {
      this.#isAlive = true
    })
    // What is wrong with a frame ws answers with its own code.
    ws.on('error', () => {})
    const onKeyEnd = () => this.#close(closeCodes.policy, 'the key has ended')
    keyed?.ended.addEventListener('abort', onKeyEnd)
    ws.once('close', () => {
      keyed?.ended.removeEventListener('abort', onKeyEnd)
      this.#connection.close()
    })
  }

  /** Bytes that its reader has not taken. */
  waiting(): number {
    return this.#ws.bufferedAmount
  }

  /** Ends a socket whose other side has answered nothing since the last ping. */
  ping(): void {
    if (this.#isAlive) this.#ws.ping()
    else this.terminate()
    this.#isAlive = false
  }

  drain(): void {
    this.#isDraining = true
    if (this.#inFlight === 0) this.#close(closeCodes.restart, 'restarting')
  }

  closeSlow(): void {
    if (this.#ws.readyState !== this.#ws.OPEN) return
    this.#ports.counts.met('slowReaders')
    this.#close(closeCodes.later, 'messages are read too slowly')
  }

  terminate(): void {
    this.#ws.terminate()
  }

  async #receive(data: RawData): Promise<void> {
    const text = String(data)
    this.#isAlive = true
    if (this.#isTooFast(text.length)) {
      this.#ports.counts.met('socketMessages')
      this.#close(closeCodes.policy, 'too many messages or bytes in a second')
      return
    }
    this.#inFlight += 1
    await this.#connection.receive(text)
    this.#inFlight -= 1
    if (this.#isDraining && this.#inFlight === 0) this.#close(closeCodes.restart, 'restarting')
  }

  #isTooFast(bytes: number): boolean {
    const nowMs = this.#ports.now()
    if (nowMs - this.#window.startMs >= 1000) this.#window = { startMs: nowMs, messages: 0, bytes: 0 }
    this.#window.messages += 1
    this.#window.bytes += bytes
    const { messagesPerSecondMax, bytesPerSecondMax } = socketLimits
    return this.#window.messages > messagesPerSecondMax || this.#window.bytes > bytesPerSecondMax
  }

  /** An answer leaves at once, with all that waits before it. */
  #send(text: string): void {
    if (!this.#mayWrite()) return
    this.#cork()
    this.#ws.send(text)
    process.nextTick(() => this.uncork())
  }

  /** Not by `ws.send`, which encodes the same rest again for each socket. ws queues nothing where it does not compress: the order is kept. */
  #notify(head: string, rest: string): void {
    if (!this.#mayWrite()) return
    if (!this.#isCorked) this.#ports.gather(this)
    this.#cork()
    const bytes = bytesOf(rest)
    this.#stream.write(frameStart(head, bytes.length))
    this.#stream.write(bytes)
  }

  #mayWrite(): boolean {
    if (this.#ws.readyState !== this.#ws.OPEN) return false
    // What came before has not been read: an answer may be longer than what may wait.
    if (this.#ws.bufferedAmount <= socketLimits.waitingBytesMax) return true
    this.closeSlow()
    return false
  }

  #cork(): void {
    if (!this.#isCorked) this.#stream.cork()
    this.#isCorked = true
  }

  uncork(): void {
    if (this.#isCorked) this.#stream.uncork()
    this.#isCorked = false
  }

  #close(code: number, reason: string): void {
    this.#ws.close(code, reason)
    // A reader that takes nothing does not answer the close either.
    setTimeout(() => this.terminate(), socketLimits.closeMsMax).unref()
  }
}

/** What was encoded last: many sockets are sent it, one after the other. */
let encoded = { text: '', bytes: Buffer.alloc(0) }

function bytesOf(text: string): Buffer {
  if (text !== encoded.text) encoded = { text, bytes: Buffer.from(text) }
  return encoded.bytes
}

/** A text frame up to and with `head`, of ASCII (RFC 6455 §5.2). */
function frameStart(head: string, restBytes: number): Buffer {
  const length = head.length + restBytes
  const lengthBytes = length < 126 ? 0 : length < 1 << 16 ? 2 : 8
  const frame = Buffer.allocUnsafe(2 + lengthBytes + head.length)
  frame[0] = 0x81
  frame[1] = { 0: length, 2: 126, 8: 127 }[lengthBytes]
  if (lengthBytes === 2) frame.writeUInt16BE(length, 2)
  if (lengthBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2)
  frame.write(head, 2 + lengthBytes, 'latin1')
  return frame
}

function ping(open: ReadonlySet<OpenSocket>): void {
  for (const socket of open) socket.ping()
}

/** What all sockets hold unread is bounded: those with the most of it are closed. */
function closeSlowest(open: ReadonlySet<OpenSocket>, bytesMax: number): void {
  let all = 0
  for (const socket of open) all += socket.waiting()
  if (all <= bytesMax) return
  for (const socket of [...open].toSorted((a, b) => b.waiting() - a.waiting())) {
    if (all <= bytesMax) return
    all -= socket.waiting()
    socket.closeSlow()
  }
}

/** Answers an upgrade with a response. Closes the connection, which no timeout would end if the other side left it open. */
export function writeError({ status, headers, body }: HostResponse, socket: Duplex): void {
  const text = typeof body === 'string' ? body : ''
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  // A reset. Without a listener it would end the process.
  socket.on('error', () => {})
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
}
