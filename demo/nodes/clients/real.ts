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
import {
  clientProfiles,
  type Limit,
  type ProviderError,
  type RealName,
  type RealNode,
} from './client-profiles.ts'
import { behindEdge } from './edge.ts'
import { wordsOf } from './error-texts.ts'
import { fillIn } from './fill-in.ts'
import { nodeErrorOf } from './node-errors.ts'
import { formatReply } from './reply-format.ts'

/** A reply, or the error of a provider with its own HTTP status. */
type ClientReply = DemoReply | { readonly providerError: ProviderError }

/**
 * Behaves like one client profile in front of a local chain, with the fields, messages and limits of its client and its
 * provider. Its answers are true in content.
 */
export function behaveAs(name: RealName, upstream: Upstream): Behaviour {
  const node: RealNode = clientProfiles[name]
  const { edge } = node
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
    const { batch, wantsUserAgent } = node
    if (wantsUserAgent && incoming.request.headers['user-agent'] === undefined)
      return incoming.respond({ status: 403, headers: plain, body: 'error code: 1010' })
    const calls = callsIn(incoming.body)
    const [call] = calls
    const isBatch = incoming.body.toString('utf8', 0, 64).trimStart().startsWith('[')
    if (isBatch && batch !== undefined && calls.length > batch.most) {
      const {
        status = 200,
        code,
        message,
        body = { jsonrpc: '2.0', id: null, error: { code, message } },
      } = batch
      if (typeof body === 'string') return incoming.respond({ status, headers: html, body })
      return incoming.respond({ status, body: JSON.stringify(fillIn(body, { id: call?.id ?? null })) })
    }
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
  const { status = 200, form = 'response', ...error } = clientReply.providerError
  if (form === 'page') {
    const body = `<html><head><title>${status} ${error.message}</title></head><body><h1>${status} ${error.message}</h1></body></html>`
    incoming.respond({ status, headers: html, body })
    return
  }
  incoming.respond({ status, body: JSON.stringify(form === 'response' ? { ...head, error } : { error }) })
}

/** A batch has one status. */
function asReply(clientReply: ClientReply): DemoReply {
  if (!('providerError' in clientReply)) return clientReply
  const { status: _, form: __, ...error } = clientReply.providerError
  return { error }
}

function sayAs(node: RealNode, upstream: Upstream): (call: DemoCall) => Promise<ClientReply> {
  return async (call) => {
    const isLogs = call.method === 'eth_getLogs'
    const { address } = (call.params[0] ?? {}) as { address?: unknown }
    if (isLogs && node.logsWithoutAddress && address == null)
      return { providerError: node.logsWithoutAddress }
    const block = blockOf(call)
    const range = isLogs ? blockRangeOf(call) : null
    const head = block === null && range === null ? 0 : await upstream.head()
    const failed =
      block === null
        ? range && errorInRange(node, range, head)
        : errorAtBlock(node, { method: call.method, block, head })
    return failed ?? inOwnForm(node, call, await upstream.callNode(call))
  }
}

/** The reply of the chain in the form of this client. */
function inOwnForm({ client, logs }: RealNode, call: DemoCall, reply: DemoReply): ClientReply {
  if ('error' in reply) {
    const nodeError = nodeErrorOf(call, reply.error)
    return { error: nodeError === null ? reply.error : wordsOf(client, nodeError) }
  }
  const { result } = reply
  const isLogs = call.method === 'eth_getLogs' && Array.isArray(result)
  if (isLogs && logs !== undefined && result.length > logs.most)
    return providerErrorOf(logs, blockRangeOf(call) ?? { from: 0, to: 0 })
  return { result: formatReply(client, call.method, call.params, result) }
}

/** With the blocks that were asked for in its words. */
function providerErrorOf({ most: _, ...providerError }: Limit, { from, to }: BlockRange): ClientReply {
  const middle = from + ((to - from) >> 1)
  const [fromHex, from9Hex, middleHex] = [from, from + 9, middle].map((number) => `0x${number.toString(16)}`)
  const values = { from, middle, span: to - from, fromHex, from9Hex, middleHex }
  return { providerError: fillIn(providerError, values) }
}

function errorAtBlock(
  { client, depthBlocks, depth }: RealNode,
  { method, block, head }: { method: string; block: number; head: number },
): ClientReply | null {
  if (block > head) return { error: wordsOf(client, { kind: 'beyond-head', block, head, method }) }
  if (!(method in stateMethods)) return null
  if (depth !== undefined && head - block > depth.most)
    return providerErrorOf(depth, { from: block, to: block })
  if (depthBlocks !== undefined && head - block > depthBlocks)
    return { error: wordsOf(client, { kind: 'pruned', block, method }) }
  return null
}

function errorInRange(
  { client, logsBlocks }: RealNode,
  { from, to }: BlockRange,
  head: number,
): ClientReply | null {
  if (to > head)
    return { error: wordsOf(client, { kind: 'beyond-head', block: to, head, method: 'eth_getLogs' }) }
  return logsBlocks !== undefined && to - from + 1 > logsBlocks.most
    ? providerErrorOf(logsBlocks, { from, to })
    : null
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
