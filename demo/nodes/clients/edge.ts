import type { Socket } from 'node:net'
import type { Behaviour, DemoRequest } from '../demo-call.ts'

/** How the load balancer of a provider handles connections. */
export type Edge =
  /** Closes idle connections at the moment of their reuse. */
  | 'resets-on-reuse'
  /** Each connection is pinned to one of two nodes; one of them is a block behind. */
  | 'two-nodes'

/** Connections in order of arrival, with their number of requests. */
function createConnections() {
  const seen = new WeakMap<Socket, { readonly index: number; requests: number }>()
  let count = 0
  return ({ request: { socket } }: DemoRequest) => {
    const known = seen.get(socket) ?? { index: count++, requests: 0 }
    known.requests++
    seen.set(socket, known)
    return known
  }
}

/** The load balancer in front of a node and of a lagging one. */
export function behindEdge(edge: Edge, node: Behaviour, late: Behaviour): Behaviour {
  const connectionOf = createConnections()
  return (incoming) => {
    const { index, requests } = connectionOf(incoming)
    if (edge === 'two-nodes') return index % 2 === 0 ? node(incoming) : late(incoming)
    if (requests < 3) return node(incoming)
    incoming.request.socket.resetAndDestroy()
  }
}
