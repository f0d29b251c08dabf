import { answerOnEdge } from '#lib/host-edge.ts'

// One catch-all: each edge route is an isolate of its own, and a second one could not see the first one's nodes.
export const runtime = 'edge'
export const dynamic = 'force-dynamic'

export const GET = answerOnEdge
export const HEAD = answerOnEdge
export const POST = answerOnEdge
export const OPTIONS = answerOnEdge
// Verbs that nobody needs answer here too, so that their refusal is JSON-RPC in both hosts.
export const PUT = answerOnEdge
export const PATCH = answerOnEdge
export const DELETE = answerOnEdge
