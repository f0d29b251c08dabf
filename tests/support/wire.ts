import { connect, createServer, type Socket } from 'node:net'
import { listen } from './listen.ts'

export type Wire = Awaited<ReturnType<typeof startWire>>

/** A network between processes and a server, which can be cut. */
export async function startWire(to: number) {
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
    /** Nothing passes any more, and nobody is told: connections stay open, and new ones lead nowhere. */
    cut() {
      isCut = true
      for (const end of ends) end.pause()
    },
    mend() {
      isCut = false
      for (const end of ends) end.resume()
    },
    /** What passes is so late from now on. */
    slow(ms: number) {
      lateMs = ms
    },
    /** New connections lead to this port; those there are end, unless they are kept. */
    leadTo(port: number, { keepsConnections } = { keepsConnections: false }) {
      target = port
      if (!keepsConnections) for (const end of ends) end.destroy()
    },
    close() {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}
