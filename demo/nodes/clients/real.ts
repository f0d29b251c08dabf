import {
  type Behaviour,
  callsIn,
  type DemoCall,
  type DemoReply,
  type DemoRequest,
  speak,
} from '../demo-call.ts'
import { sayLate, stateMethods } from '../lagging.ts'
import type { Upstream } from '../upstream.ts'
import { clientProfiles, type RealName, type RealNode } from './client-profiles.ts'
import { behindEdge } from './edge.ts'
import { type ClientError, type ClientRpcError, wordsOf } from './error-texts.ts'
import { nodeErrorOf } from './node-errors.ts'
import type { ProviderError } from './providers.ts'
import { type Client, formatReply } from './reply-format.ts'

/** A reply, or a refusal with its own HTTP status. */
type ClientReply = DemoReply | { readonly providerError: ProviderError }

/**
 * Behaves like one client profile in front of a local chain, with the fields, messages and limits of its client and its
 * provider. Its answers are true in content.
 */
export function behaveAs(name: RealName, upstream: Upstream): Behaviour {
  const node: RealNode = clientProfiles[name]
  const { edge } = node.provider
  if (edge === undefined) return behaveBefore(node, upstream)
  return behindEdge(edge, behaveBefore(node, upstream), behaveBefore(node, blockBehind(upstream)))
}

/** The chain of a node that is one block behind. */
function blockBehind(upstream: Upstream): Upstream {
  return {
    ...upstream,
    callNode: async (call) => (await sayLate(upstream, 1))(call),
    head: async () => Math.max(0, (await upstream.head()) - 1),
  }
}

function behaveBefore(node: RealNode, upstream: Upstream): Behaviour {
  const say = sayAs(node, upstream)
  return async (incoming) => {
    const { provider } = node
    if (provider.wantsUserAgent && incoming.request.headers['user-agent'] === undefined)
      return incoming.respond({ status: 403, headers: plain, body: 'error code: 1010' })
    const calls = callsIn(incoming.body)
    const isBatch = incoming.body.toString('utf8', 0, 64).trimStart().startsWith('[')
    if (isBatch && provider.batch !== undefined && calls.length > provider.batch.most) {
      const { status, body } = provider.batch.providerError(calls)
      if (typeof body === 'string') return incoming.respond({ status, headers: html, body })
      return incoming.respond({ status, body: JSON.stringify(body) })
    }
    const [call] = calls
    if (isBatch || call === undefined) return speak(incoming, async (each) => asReply(await say(each)))
    respondTo(call, incoming, await say(call))
  }
}

const plain = { 'content-type': 'text/plain' }
const html = { 'content-type': 'text/html' }

function respondTo(call: DemoCall, incoming: DemoRequest, clientReply: ClientReply): void {
  const head = { jsonrpc: '2.0', id: call.id ?? null }
  if (!('providerError' in clientReply)) {
    incoming.respond({ status: 200, body: JSON.stringify({ ...head, ...clientReply }) })
    return
  }
  const { status, form, error } = clientReply.providerError
  if (form === 'page') {
    const body = `<html><head><title>${status} ${error.message}</title></head><body><h1>${status} ${error.message}</h1></body></html>`
    incoming.respond({ status, headers: html, body })
    return
  }
  const bodies = { response: { ...head, error }, 'error-only': { error }, bare: error }
  incoming.respond({ status, body: JSON.stringify(bodies[form]) })
}

/** A batch has one status. */
function asReply(clientReply: ClientReply): DemoReply {
  return 'providerError' in clientReply ? { error: clientReply.providerError.error } : clientReply
}

function sayAs(node: RealNode, upstream: Upstream): (call: DemoCall) => Promise<ClientReply> {
  return async (call) => {
    const refused = node.provider.refuses?.(call) ?? null
    if (refused !== null) return { providerError: refused }
    const block = blockOf(call)
    const span = call.method === 'eth_getLogs' ? blockRangeOf(call) : null
    const head = block === null && span === null ? 0 : await upstream.head()
    if (block !== null) {
      const found = errorAtBlock(node, { method: call.method, block, head })
      if (found !== null) return found
    }
    if (span !== null) {
      const found = errorInRange(node, span, head)
      if (found !== null) return found
    }
    return inOwnForm(node, call, await upstream.callNode(call))
  }
}

/** The reply of the chain in the form of this client. */
function inOwnForm({ client, provider }: RealNode, call: DemoCall, reply: DemoReply): ClientReply {
  if ('error' in reply) {
    const nodeError = nodeErrorOf(call, reply.error)
    return { error: nodeError === null ? reply.error : words(client, nodeError) }
  }
  const { result } = reply
  if (call.method === 'eth_getLogs' && Array.isArray(result) && provider.logs !== undefined) {
    const span = blockRangeOf(call)
    if (result.length > provider.logs.most)
      return { providerError: provider.logs.providerError(span?.from ?? 0, span?.to ?? 0) }
  }
  return { result: formatReply(client, call.method, call.params, result) }
}

function errorAtBlock(
  { client, depthBlocks, provider }: RealNode,
  { method, block, head }: { method: string; block: number; head: number },
): ClientReply | null {
  if (block > head) return { error: words(client, { kind: 'beyond-head', block, head, method }) }
  if (!(method in stateMethods)) return null
  if (provider.depth !== undefined && head - block > provider.depth.blocks)
    return { providerError: provider.depth.providerError }
  if (depthBlocks !== null && head - block > depthBlocks)
    return { error: words(client, { kind: 'pruned', block, method }) }
  return null
}

function errorInRange(
  { client, provider }: RealNode,
  { from, to }: BlockRange,
  head: number,
): ClientReply | null {
  if (to > head)
    return { error: words(client, { kind: 'beyond-head', block: to, head, method: 'eth_getLogs' }) }
  const { logsBlocks } = provider
  return logsBlocks !== undefined && to - from + 1 > logsBlocks.most
    ? { providerError: logsBlocks.providerError(from, to) }
    : null
}

function words<Kind extends ClientError['kind']>(
  client: Client,
  nodeError: Extract<ClientError, { kind: Kind }>,
): ClientRpcError {
  return wordsOf(client, nodeError)
}

/** The block number of a call about state or fees; null for a tag, a hash or another method. */
function blockOf({ method, params }: DemoCall): number | null {
  const index = method === 'eth_feeHistory' ? 1 : stateMethods[method]
  if (index === undefined) return null
  const given = params[index]
  const number =
    typeof given === 'object' && given !== null ? (given as { blockNumber?: unknown }).blockNumber : given
  return typeof number === 'string' && /^0x[0-9a-f]{1,14}$/i.test(number) ? Number(number) : null
}

interface BlockRange {
  readonly from: number
  readonly to: number
}

function blockRangeOf({ params }: DemoCall): BlockRange | null {
  const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: unknown; toBlock?: unknown }
  const [from, to] = [Number(fromBlock), Number(toBlock)]
  return Number.isInteger(from) && Number.isInteger(to) ? { from, to } : null
}
