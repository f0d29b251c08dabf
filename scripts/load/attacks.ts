import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'

/** The target of an attack, and its address as forwarded by the proxy in front. */
export interface AttackTarget {
  readonly port: number
  readonly chainId: number
}

/** A running attack. */
export interface Running {
  /** Whether it has sent about as much as it can have open at once. */
  readonly isUnderWay: () => boolean
  /** Cleans up everything. */
  readonly end: () => void
}
export type Attack = (target: AttackTarget) => Running

const attacker = '198.51.100.66'
const everyMs = 20
const connectionsMin = 1_000

const post = ({ chainId }: AttackTarget, length: number, address = attacker) =>
  `POST /api/rpc/${chainId} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${address}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`
const get = (path: string, more = '', address = attacker) =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${address}\r\n${more}\r\n`
const upgrade =
  'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
/** A WebSocket's text frame of less than 64 KiB, masked with zeros, each character one byte. */
function frame(text: string): string {
  const length = text.length < 126 ? [text.length] : [126, text.length >> 8, text.length & 255]
  const [first = 0, ...more] = length
  return String.fromCharCode(0x81, 0x80 | first, ...more, 0, 0, 0, 0) + text
}
const call = (method: string, params: readonly unknown[], id = 1) => ({ jsonrpc: '2.0', id, method, params })
const account = (count: number) => `0x${count.toString(16).padStart(40, 'a')}`

/** Raw connections that send `bytesOf`, `perTick` new ones every 20 ms and at most `max` at once. */
function connections(
  { port }: AttackTarget,
  options: { readonly max: number; readonly perTick: number; readonly bytesOf: (count: number) => string },
  behave: (socket: Socket) => void = (socket) => void socket.resume(),
): Running {
  const open = new Set<Socket>()
  let count = 0
  const timer = setInterval(() => {
    for (let at = 0; at < options.perTick && open.size < options.max; at += 1) {
      const socket = connect(port, '127.0.0.1')
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
      socket.write(options.bytesOf(count++), 'latin1')
      behave(socket)
    }
  }, everyMs)
  return {
    isUnderWay: () => count >= Math.min(options.max, connectionsMin),
    end() {
      clearInterval(timer)
      for (const socket of open) socket.destroy()
    },
  }
}

/** Requests over keep-alive connections, with this concurrency. */
function requests(
  { port }: AttackTarget,
  atOnce: number,
  optionsOf: (count: number) => { readonly path: string; readonly body?: string },
): Running {
  const agent = new Agent({ keepAlive: true })
  let count = 0
  let isOver = false
  const next = () => {
    if (isOver) return
    const { path, body } = optionsOf(count++)
    const headers = {
      'x-forwarded-for': attacker,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    const again = () => setTimeout(next, everyMs)
    request({ port, host: '127.0.0.1', path, method, headers, agent }, (response) =>
      response.resume().on('close', again),
    )
      .on('error', again)
      .end(body)
  }
  for (let at = 0; at < atOnce; at += 1) next()
  return {
    isUnderWay: () => count >= 2 * atOnce,
    end() {
      isOver = true
      agent.destroy()
    },
  }
}

const slowBody = JSON.stringify(call('eth_chainId', [])).padEnd(1000)

/** Each exhausts one limited resource, within the means of one machine. */
export const attacks = {
  'pages, 100 at a time': (target) => requests(target, 100, () => ({ path: '/' })),
  'looks at the health, 100 at a time': (target) =>
    requests(target, 100, () => ({ path: '/api/rpc/health' })),
  'slow bodies of 100 callers': (target) =>
    connections(
      target,
      { max: 3_000, perTick: 16, bytesOf: (count) => post(target, 1000, `198.51.100.${count % 100}`) },
      (socket) => {
        socket.resume()
        // All but the last byte, in parts; the last byte follows after four seconds.
        setTimeout(() => socket.write(slowBody.slice(0, 999)), 2_000).unref()
        setTimeout(() => socket.write(slowBody.slice(999)), 4_000).unref()
      },
    ),
  'long answers left unread': (target) => {
    const body = JSON.stringify(call('eth_getCode', [account(0), 'latest']))
    return connections(
      target,
      { max: 140, perTick: 2, bytesOf: () => post(target, body.length) + body },
      (socket) => void socket.pause(),
    )
  },
  'sockets of 100 callers whose long answers are left unread': (target) =>
    connections(
      target,
      {
        max: 1_000,
        perTick: 16,
        bytesOf: (count) =>
          get(`/api/rpc/${target.chainId}`, upgrade, `198.51.100.${count % 100}`) +
          frame(JSON.stringify(call('eth_subscribe', ['newHeads']))) +
          frame(JSON.stringify(call('eth_getCode', [account(0), 'latest']))),
      },
      (socket) => void socket.pause(),
    ),
  'guessed keys, 50 at a time': (target) =>
    requests(target, 50, (count) => ({
      path: `/api/rpc/${target.chainId}/key/guess-${count}-of-a-long-enough-key`,
      body: JSON.stringify(call('eth_chainId', [])),
    })),
  'offers of another protocol': (target) =>
    connections(
      target,
      {
        max: 2_000,
        perTick: 8,
        bytesOf: () => get('/nowhere', upgrade),
      },
      // Disconnects at once, like a client that ignores the answer.
      (socket) => setTimeout(() => socket.destroy(), 200).unref(),
    ),
  'batches of 100 reads, six at a time': (target) =>
    requests(target, 6, (count) => ({
      path: `/api/rpc/${target.chainId}`,
      body: JSON.stringify(
        Array.from({ length: 100 }, (_, at) =>
          call('eth_getBalance', [account(count * 100 + at), 'latest'], at),
        ),
      ),
    })),
  'wrong requests': (target) =>
    connections(target, {
      max: 50,
      perTick: 4,
      bytesOf: (count) =>
        ['GET * HTTP/1.1\r\nhost: a\r\n\r\n', get('/', 'host: b\r\n'), `BREW ${get('/').slice(3)}`][
          count % 3
        ] ?? '',
    }),
} as const satisfies Record<string, Attack>
