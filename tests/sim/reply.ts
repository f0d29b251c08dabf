import type { SendFault, SendResponse } from '#rpc-proxy'
import { wordsOf } from '../../demo/nodes/makes/words.ts'
import { type Chance, hash32 } from './chance.ts'
import { garbage, planted } from './garbage.ts'
import { lieOf } from './lies.ts'
import { type ParsedCall, parseCall } from './parsed-call.ts'
import { makeOf } from './shapes.ts'
import { mined, type Signed, unsent } from './signed.ts'
import { blockIn, type NodeReply, nonceAt, resultReply, textOf, truthOf, waiting } from './truth.ts'
import { blockAt, type Tip } from './universe.ts'
import {
  type Behavior,
  behaviorAt,
  type Hurt,
  startMs,
  tipAt,
  type WorldChain,
  type WorldNode,
} from './world.ts'

/** One request as a node parses it. */
export interface Request {
  readonly id: string
  readonly method: string
  readonly call: ParsedCall | null
}

/** The vote in a reply. */
export interface Vote {
  readonly meaning: string
  /** The JSON text of the result, if there is one. */
  readonly raw: string | null
  readonly isDoubtful?: boolean | undefined
}

/** How a node will reply to a POST. */
export interface Plan {
  /** Null for no reply. */
  readonly ms: number | null
  readonly answer: { readonly response: SendResponse } | { readonly fault: SendFault['kind'] }
  /** By index in the batch. */
  readonly votes: readonly (Vote | null)[]
  readonly behind: boolean
  /** The reply is malformed for all calls. */
  readonly isGarbage?: boolean
  /** For the trace. */
  readonly text: string
}

export function readRequests(body: string): Post {
  const parsed = JSON.parse(body) as RawRequest | RawRequest[]
  const isBatch = Array.isArray(parsed)
  const requests = (isBatch ? parsed : [parsed]).map(({ id, method, params }) => ({
    id: JSON.stringify(id),
    method,
    call: parseCall(method, params),
  }))
  return { isBatch, requests }
}

/** The calls of one POST. */
export interface Post {
  readonly isBatch: boolean
  readonly requests: readonly Request[]
}

interface RawRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

export interface NodeState {
  readonly chain: WorldChain
  readonly node: WorldNode
  /** Transactions that it has accepted. */
  readonly pool: Set<string>
}

const never: Plan = { ms: null, answer: { fault: 'connection' }, votes: [], behind: false, text: 'nothing' }

/** Decides how a node replies to a POST at this time. */
export function planReply(
  state: NodeState,
  post: Post,
  { nowMs, chance }: { nowMs: number; chance: Chance },
): Plan {
  const { requests } = post
  const { chain, node } = state
  const behavior = behaviorAt(node, nowMs)
  const ms = delayOf(node, behavior, nowMs, chance)
  if (ms === null) return never
  if (behavior.kind === 'limiting' && chance.roll(behavior.share)) return limit(behavior.style, post, ms)
  if (behavior.kind === 'fragile' && requests.some(({ call }) => isHeavy(call)))
    return hurt(behavior.hurt, post, ms)
  const tip = viewOf(chain, node, behavior, nowMs, chance)
  const parts = requests.map((request) => partOf(state, behavior, request, tip))
  if (behavior.kind === 'garbage' && chance.roll(behavior.share) && !isIdentity(requests, chance)) {
    const first = requests[0] as Request
    const raw = parts[0]?.vote?.raw ?? '"0x1"'
    return {
      ms,
      answer: garbage[behavior.name](first.id, raw),
      votes: requests.map(() => null),
      behind: false,
      isGarbage: true,
      text: `garbage: ${behavior.name}`,
    }
  }
  const texts = parts.map(({ text }) => text)
  const body = post.isBatch ? `[${texts.join(',')}]` : (texts[0] as string)
  if (requests.length > 1 && body.length > node.batchCharsMax)
    return {
      ...noVotes(post),
      ms,
      answer: { fault: 'too-large' },
      isGarbage: true,
      text: 'too much at once',
    }
  return {
    ms,
    answer: { response: { status: 200, retryAfter: null, body } },
    votes: parts.map(({ vote }) => vote),
    behind: parts.some(({ isBehind }) => isBehind),
    text: parts.map(({ vote, text }) => vote?.meaning ?? text).join(' '),
  }
}

/** Whether the caller chooses the cost of this call. */
export function isHeavy(call: ParsedCall | null): boolean {
  return (
    call !== null &&
    (['eth_call', 'eth_estimateGas', 'eth_getLogs'].includes(call.method) ||
      (call.method === 'eth_getBlockByNumber' && call.subject === 'true'))
  )
}

function noVotes({ requests }: Post): Pick<Plan, 'votes' | 'behind'> {
  return { votes: requests.map(() => null), behind: false }
}

/** The reply of a node to work that is too heavy for it. */
function hurt(kind: Hurt, post: Post, ms: number): Plan {
  const plan = { ...noVotes(post), ms, text: `hurt: ${kind}` }
  const respond = (status: number, body: string) => ({ response: { status, retryAfter: '60', body } })
  const inWords = (code: number, message: string) => {
    const texts = post.requests.map(({ id }) => wrong(id, code, message).text)
    return respond(200, post.isBatch ? `[${texts.join(',')}]` : (texts[0] as string))
  }
  switch (kind) {
    case 'silent':
      return never
    case 'slow':
      return { ...plan, ms: 3000, answer: { fault: 'connection' } }
    case 'connection':
    case 'too-large':
      return { ...plan, answer: { fault: kind } }
    case 'error':
      return { ...plan, answer: inWords(-32603, 'Internal error') }
    case 'limit':
      return { ...plan, answer: respond(429, 'slow down') }
    case 'limit in words':
      return { ...plan, answer: inWords(-32005, 'limit exceeded') }
    case 'http':
      return { ...plan, answer: respond(504, '') }
  }
}

/** Chain id checks are mostly answered, because a node that never answers them is asked nothing else. */
function isIdentity(requests: readonly Request[], chance: Chance): boolean {
  return requests[0]?.method === 'eth_chainId' && chance.roll(0.9)
}

function delayOf({ latencyMs }: WorldNode, behavior: Behavior, nowMs: number, chance: Chance): number | null {
  const usual = latencyMs + chance.int(Math.max(1, latencyMs >> 2))
  switch (behavior.kind) {
    case 'silent':
      return null
    case 'slow':
      return behavior.ms
    case 'jittery':
      return chance.int(behavior.msMax)
    case 'flapping':
      return Math.floor(nowMs / behavior.intervalMs) % 2 === 0 ? usual : null
    default:
      return usual
  }
}

/** The tip that this node has now. */
function viewOf(
  chain: WorldChain,
  { delayMs }: WorldNode,
  behavior: Behavior,
  nowMs: number,
  chance: Chance,
): Tip {
  const untilMs = behavior.kind === 'stuck' ? startMs + behavior.untilMs - 1 : Number.POSITIVE_INFINITY
  const tip = tipAt(chain, Math.min(nowMs - delayMs, untilMs))
  const back = (blocks: number) => blockAt(tip, tip.number - blocks)
  switch (behavior.kind) {
    case 'forking':
    case 'forger':
      return tip.number + behavior.ahead < behavior.from
        ? tip
        : { salt: tip.salt, branch: behavior.branch, number: tip.number + behavior.ahead }
    case 'balancer':
      return back(chance.pick(behavior.lags))
    case 'lagging':
      return back(behavior.blocks)
    default:
      return tip
  }
}

interface Part {
  readonly text: string
  readonly vote: Vote | null
  readonly isBehind: boolean
}

function partOf(state: NodeState, behavior: Behavior, { id, method, call }: Request, tip: Tip): Part {
  const { chain, node } = state
  if (call === null) return wrong(id, -32601, `the method ${method} does not exist`)
  if (behavior.kind === 'unable' && method !== 'eth_chainId') return unable(id, behavior.style)
  const chainId = behavior.kind === 'wrong-chain' ? behavior.chainId : chain.id
  if (method === 'eth_sendRawTransaction') return broadcast(state, behavior, id, call)
  let reply = ownTruth(state, chainId, tip, call, behavior)
  if (behavior.kind === 'liar')
    reply = lieOf({ chainId, tip, call, block: blockIn(tip, call), truth: reply, group: behavior.group })
  if (behavior.kind === 'no index' && reply.kind === 'result') reply = withoutIndex[method] ?? reply
  const plain = spoken(id, reply, node)
  // If the block is agreed to exist, null means that the node does not have it yet.
  const part = wholeBlock.has(method) && plain.vote?.meaning === 'null' ? { ...plain, isBehind: true } : plain
  // A reply for another chain is not a vote.
  return behavior.kind === 'wrong-chain' ? { ...part, vote: null } : part
}

/** Methods that read a whole block. */
export const wholeBlock: ReadonlySet<string> = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByNumber',
  'eth_getUncleCountByBlockNumber',
])

/** Replies of a node without an index. */
const withoutIndex: Readonly<Record<string, NodeReply>> = {
  eth_getTransactionReceipt: { kind: 'result', shape: 'data', value: null, meaning: 'null' },
  eth_getTransactionByHash: { kind: 'result', shape: 'data', value: null, meaning: 'null' },
  eth_getLogs: resultReply('logs', []),
}

/** The true answer for the tip of this node, including what differs between honest nodes. */
function ownTruth(
  { node, pool }: NodeState,
  chainId: number,
  tip: Tip,
  call: ParsedCall,
  behavior: Behavior,
): NodeReply {
  const { method, block } = call
  if (method === 'eth_getTransactionCount' && block.kind === 'tag' && block.tag === 'pending')
    return resultReply(
      'quantity',
      `0x${(nonceAt(tip.number) + (hash32(call.subject, node.index) % 3)).toString(16)}`,
    )
  // Nodes behind a load balancer return a range only up to their own tip.
  const clipped =
    behavior.kind === 'balancer' && method === 'eth_getLogs' && block.kind === 'number'
      ? { ...call, block: { kind: 'number' as const, number: Math.min(block.number, tip.number) } }
      : call
  const reply = truthOf(chainId, tip, clipped)
  if (method === 'eth_getTransactionByHash' && reply.kind === 'result' && reply.value === null) {
    const signed = signedIn({ node, pool }, chainId, call.subject)
    return signed === undefined ? reply : waiting(signed)
  }
  if (method !== 'eth_estimateGas' || reply.kind !== 'result') return reply
  // Clients estimate differently.
  const gas = Number(reply.value) + (hash32(call.subject, node.index) % 2000)
  return resultReply('quantity', `0x${gas.toString(16)}`)
}

/** A pending transaction that this node knows, from us or from its peers. */
function signedIn(
  { node, pool }: Pick<NodeState, 'node' | 'pool'>,
  chainId: number,
  wanted: string,
): Signed | undefined {
  const isWanted = ({ hash }: Signed) => hash === wanted
  return (
    unsent.get(chainId)?.find((signed) => isWanted(signed) && pool.has(signed.raw)) ??
    mined.find((signed) => isWanted(signed) && hash32(wanted, node.index) % 2 === 0)
  )
}

function spoken(id: string, reply: NodeReply, { dialect, index }: WorldNode): Part {
  const make = makeOf(dialect)
  switch (reply.kind) {
    case 'result': {
      const raw = textOf(reply, dialect)
      const text =
        dialect === 'vendor'
          ? `{ "result": ${raw}, "id": ${id}, "jsonrpc": "2.0", "vendor": {"result": 1} }`
          : `{"jsonrpc":"2.0","id":${id},"result":${raw}}`
      return {
        text,
        vote: reply.isEvident ? null : { meaning: reply.meaning, raw, isDoubtful: reply.isDoubtful },
        isBehind: false,
      }
    }
    case 'reverted': {
      if (make !== null) {
        const error = wordsOf(make, { kind: 'reverted', reason: null, data: reply.data })
        return { ...failing(id, error), vote: { meaning: reply.meaning, raw: null } }
      }
      const style = index % 3
      const error =
        style === 0
          ? { code: 3, message: 'execution reverted', data: reply.data }
          : style === 1
            ? { code: -32015, message: 'VM execution error.', data: `Reverted ${reply.data}` }
            : { code: -32000, message: 'execution reverted: odd', data: reply.data }
      return { ...failing(id, error), vote: { meaning: reply.meaning, raw: null } }
    }
    case 'rejected': {
      const message = rejections[reply.meaning]?.[index % 2]
      return { ...failing(id, { code: -32000, message }), vote: { meaning: reply.meaning, raw: null } }
    }
    default: {
      if (make !== null) {
        const failure = { kind: 'beyond-head', block: 1, head: 0, method: 'eth_call' } as const
        return { ...failing(id, wordsOf(make, failure)), isBehind: true }
      }
      const message = ['header not found', 'unknown block', 'block not found'][index % 3]
      return { ...failing(id, { code: -32000, message }), isBehind: true }
    }
  }
}

/** Error messages of nodes, by error class. */
const rejections: Readonly<Record<string, readonly string[]>> = {
  'refusal insufficient-funds': [
    'insufficient funds for gas * price + value',
    'insufficient balance for transfer',
  ],
  'refusal vm-halt': ['out of gas', 'err: out of gas (supplied gas 1)'],
}

function failing(id: string, error: unknown): Part {
  return {
    text: `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`,
    vote: null,
    isBehind: false,
  }
}

function wrong(id: string, code: number, message: string): Part {
  return failing(id, { code, message })
}

function unable(id: string, style: number): Part {
  const [code, message] = (
    [
      [-32000, `missing trie node ${planted}`],
      [-32601, 'the method is not available on this plan'],
      [-32602, 'invalid params'],
      [-32000, `unauthorized: bad api key ${planted}`],
    ] as const
  )[style % 4] as readonly [number, string]
  return wrong(id, code, message)
}

function limit(style: number, { isBatch, requests }: Post, ms: number): Plan {
  const votes = requests.map(() => null)
  const retryAfter = ['1', null, '30', '99999', 'soon', 'Wed, 21 Oct 2099 07:28:00 GMT'][style]
  if (retryAfter !== undefined)
    return {
      ms,
      answer: { response: { status: 429, retryAfter, body: 'slow down' } },
      votes,
      behind: false,
      text: '429',
    }
  const texts = requests.map(
    ({ id }) => wrong(id, style === 6 ? -32005 : 429, `limit exceeded ${planted}`).text,
  )
  const body = isBatch ? `[${texts.join(',')}]` : (texts[0] as string)
  return {
    ms,
    answer: { response: { status: 200, retryAfter: null, body } },
    votes,
    behind: false,
    text: 'rate limit',
  }
}

/** The third unsent transaction of a chain has insufficient funds, the fourth a used nonce. */
function broadcast({ chain, node, pool }: NodeState, behavior: Behavior, id: string, call: ParsedCall): Part {
  const raw = call.subject
  const known = unsent.get(chain.id) ?? []
  const index = known.findIndex((signed) => signed.raw === raw)
  const signed = known[index]
  if (signed === undefined) return wrong(id, -32000, 'invalid transaction')
  if (behavior.kind === 'liar' && behavior.group % 2 === 0)
    return accepted(id, `0x${'ba'.repeat(32)}`, 'another hash')
  if (index === 2)
    return {
      ...wrong(id, -32000, 'insufficient funds for gas * price + value'),
      vote: { meaning: 'refusal insufficient-funds', raw: null },
    }
  if (index === 3)
    return { ...wrong(id, -32000, 'nonce too low'), vote: { meaning: 'refusal nonce-too-low', raw: null } }
  if (pool.has(raw) || node.index === 2)
    return { ...wrong(id, -32000, 'already known'), vote: { meaning: 'accepted', raw: null } }
  pool.add(raw)
  return accepted(id, signed.hash, 'accepted')
}

function accepted(id: string, hash: string, meaning: string): Part {
  return {
    text: `{"jsonrpc":"2.0","id":${id},"result":"${hash}"}`,
    vote: { meaning, raw: `"${hash}"` },
    isBehind: false,
  }
}
