import { connect, createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'

/** A network between processes and a server, which can be cut. */
export interface Wire {
  readonly port: number
  /** Nothing passes any more, and nobody is told: connections stay open, and new ones lead nowhere. */
  readonly cut: () => void
  readonly mend: () => void
  /** What passes is so late from now on. */
  readonly slow: (ms: number) => void
  /** New connections lead to this port; those there are end, unless they are kept. */
  readonly leadTo: (port: number, options?: { readonly keepsConnections: boolean }) => void
  readonly close: () => void
}

export async function startWire(to: number): Promise<Wire> {
  const ends = new Set<Socket>()
  let target = to
  let isCut = false
  let lateMs = 0
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one)
      // Timers of one length fire in their order.
      one.on('data', (bytes) => {
        if (lateMs === 0) other.write(bytes)
        else setTimeout(() => other.destroyed || other.write(bytes), lateMs)
      })
      one.on('error', () => {})
      one.on('close', () => {
        ends.delete(one)
        other.destroy()
      })
      if (isCut) one.pause()
    }
  })
  return {
    port: await listen(server),
    cut() {
      isCut = true
      for (const end of ends) end.pause()
    },
    mend() {
      isCut = false
      for (const end of ends) end.resume()
    },
    slow(ms) {
      lateMs = ms
    },
    leadTo(port, { keepsConnections } = { keepsConnections: false }) {
      target = port
      if (!keepsConnections) for (const end of ends) end.destroy()
    },
    close() {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}
