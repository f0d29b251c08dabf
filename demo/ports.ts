import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { threadId } from 'node:worker_threads'

/** Below the ephemeral ports (from 32,768 on Linux, 49,152 on macOS), and above 10,080, the last that browsers and `fetch` refuse. */
const firstPort = 10_100
const portsCount = 19_800
const attemptsMax = 1000
/** Processes that look at the same time look in different places: whoever finds a port may listen on it seconds later. */
const blockSize = 100
let next = ((process.pid + threadId) * blockSize) % portsCount

/**
 * A free TCP port on loopback outside of the ephemeral range, so that no other process gets it by asking for any port before
 * it is used.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const port = firstPort + next
    next = (next + 1) % portsCount
    const isFree = await listenOnce(port, '127.0.0.1').then(
      () => true,
      () => false,
    )
    if (isFree) return port
  }
  throw new Error(`none of ${attemptsMax} ports on 127.0.0.1 could be listened on`)
}

/** Parses a port. Throws on anything else. */
export function portFrom(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`${text} is no port to listen on.`)
  return port
}

/** Throws with a clear message when a port is not available. */
export async function checkPorts(port: number, host: string): Promise<void> {
  try {
    await listenOnce(port, host)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    throw new Error(
      code === 'EADDRINUSE'
        ? `Port ${port} is taken. Stop what listens there, or choose another: PORT=3100 npm run demo`
        : `Port ${port} on ${host} cannot be listened on: ${message}`,
    )
  }
}

async function listenOnce(port: number, host: string): Promise<void> {
  const server = createServer()
  await listenOn(server, { port, host })
  await new Promise((resolve) => server.close(resolve))
}

/** Has a server listen, and returns its port. Rejects where it cannot. */
export function listenOn(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Closes a server with all of its connections. */
export function closeServer(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
