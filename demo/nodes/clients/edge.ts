import type { Socket } from 'node:net'
import type { Behaviour } from '../demo-call.ts'

/** How the load balancer of a provider handles connections. */
export type Edge =
  /** Closes idle connections at the moment of their reuse. */
  | 'resets-on-reuse'
  /** Each connection is pinned to one of two nodes; one of them is a block behind. */
  | 'two-nodes'

/** The load balancer in front of a node and of a lagging one. */
export function behindEdge(edge: Edge, node: Behaviour, late: Behaviour): Behaviour {
  const connections = new WeakMap<Socket, { readonly index: number; requests: number }>()
  let count = 0
  return (incoming) => {
    const { socket } = incoming.request
    const connection = connections.get(socket) ?? { index: count++, requests: 0 }
    connection.requests++
    connections.set(socket, connection)
    if (edge === 'two-nodes') return connection.index % 2 === 0 ? node(incoming) : late(incoming)
    if (connection.requests < 3) return node(incoming)
    socket.resetAndDestroy()
  }
}
