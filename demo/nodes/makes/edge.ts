import type { Socket } from 'node:net'
import type { Behaviour, NodeExchange } from '../exchange.ts'

/** How the load balancer of a provider handles connections. */
export type Edge =
  /** Closes idle connections at the moment of their reuse. */
  | 'resets-on-reuse'
  /** Each connection is pinned to one of two nodes; one of them is a block behind. */
  | 'two-nodes'

/** Connections in order of arrival, with their number of requests. */
function createConnections() {
  const seen = new WeakMap<Socket, { readonly place: number; requests: number }>()
  let count = 0
  return ({ request: { socket } }: NodeExchange) => {
    const known = seen.get(socket) ?? { place: count++, requests: 0 }
    known.requests++
    seen.set(socket, known)
    return known
  }
}

/** The load balancer in front of a node and of a lagging one. */
export function behindEdge(edge: Edge, node: Behaviour, late: Behaviour): Behaviour {
  const connectionOf = createConnections()
  return (exchange) => {
    const { place, requests } = connectionOf(exchange)
    if (edge === 'two-nodes') return place % 2 === 0 ? node(exchange) : late(exchange)
    if (requests < 3) return node(exchange)
    exchange.request.socket.resetAndDestroy()
  }
}
