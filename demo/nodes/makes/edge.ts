import type { Socket } from 'node:net'
import type { Behaviour, Exchange } from '../exchange.ts'

/** How a provider's load balancers treat connections. */
export type Edge =
  /** Closes connections that it kept open, at the moment of their reuse. */
  | 'resets-on-reuse'
  /** Each connection stays with one of two nodes, of which one is a block behind. */
  | 'two-nodes'

/** Connections in the order in which they came, and how many requests each has brought. */
function createConnections() {
  const seen = new WeakMap<Socket, { readonly place: number; requests: number }>()
  let count = 0
  return ({ request: { socket } }: Exchange) => {
    const known = seen.get(socket) ?? { place: count++, requests: 0 }
    known.requests++
    seen.set(socket, known)
    return known
  }
}

/** The edge in front of a node, and of one that is a block behind. */
export function behindEdge(edge: Edge, node: Behaviour, late: Behaviour): Behaviour {
  const connectionOf = createConnections()
  return (exchange) => {
    const { place, requests } = connectionOf(exchange)
    if (edge === 'two-nodes') return place % 2 === 0 ? node(exchange) : late(exchange)
    if (requests < 3) return node(exchange)
    exchange.request.socket.resetAndDestroy()
  }
}
