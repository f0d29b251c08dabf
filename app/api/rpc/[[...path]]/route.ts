import { answerOnEdge } from '#lib/host/edge/host-edge.ts'

// One catch-all route: each edge route is its own isolate, and a second one would not share the node state.
export const runtime = 'edge'
export const dynamic = 'force-dynamic'

export const GET = answerOnEdge
export const HEAD = answerOnEdge
export const POST = answerOnEdge
export const OPTIONS = answerOnEdge
// Unused HTTP methods are handled here too, so that both hosts refuse them with JSON-RPC.
export const PUT = answerOnEdge
export const PATCH = answerOnEdge
export const DELETE = answerOnEdge
