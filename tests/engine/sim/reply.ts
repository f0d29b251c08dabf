import type { SendFault, SendResponse } from '#rpc-proxy'
import type { Chance } from '../../support/chance.ts'
import { garbage, planted } from '../../support/garbage.ts'
import { type NodeState, partOf, type Request } from './call-reply.ts'
import { type ParsedCall, parseCall } from './parsed-call.ts'
import { type Vote, wrong } from './reply-text.ts'
import { blockAt, type Tip } from './universe.ts'
import {
  type Behavior,
  behaviorAt,
  type Hurt,
  type PoisonedView,
  startMs,
  tipAt,
  type WorldChain,
  type WorldNode,
} from './world.ts'

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
    const answer = garbage[behavior.name](first.id, raw)
    return { ...noVotes(post), ms, answer, isGarbage: true, text: `garbage: ${behavior.name}` }
  }
  const body = bodyOf(
    post,
    parts.map(({ text }) => text),
  )
  if (requests.length > 1 && body.length > node.batchCharsMax)
    return {
      ...noVotes(post),
      ...{ ms, answer: { fault: 'too-large' }, isGarbage: true, text: 'too much at once' },
    }
  return {
    ms,
    answer: respond(200, body),
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

const bodyOf = ({ isBatch }: Post, texts: readonly string[]): string =>
  isBatch ? `[${texts.join(',')}]` : (texts[0] as string)

const respond = (status: number, body: string, retryAfter: string | null = null) => ({
  response: { status, retryAfter, body },
})

/** The same error for each call. */
const errorsOf = (post: Post, code: number, message: string): string =>
  bodyOf(
    post,
    post.requests.map(({ id }) => wrong(id, code, message).text),
  )

/** The reply of a node to work that is too heavy for it. */
function hurt(kind: Hurt, post: Post, ms: number): Plan {
  const plan = { ...noVotes(post), ms, text: `hurt: ${kind}` }
  switch (kind) {
    case 'silent':
      return never
    case 'slow':
      return { ...plan, ms: 3000, answer: { fault: 'connection' } }
    case 'connection':
    case 'too-large':
      return { ...plan, answer: { fault: kind } }
    case 'error':
      return { ...plan, answer: respond(200, errorsOf(post, -32603, 'Internal error'), '60') }
    case 'limit':
      return { ...plan, answer: respond(429, 'slow down', '60') }
    case 'limit in words':
      return { ...plan, answer: respond(200, errorsOf(post, -32005, 'limit exceeded'), '60') }
    case 'http':
      return { ...plan, answer: respond(504, '', '60') }
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
      return forkedTip(tip, behavior)
    case 'balancer':
      return back(chance.pick(behavior.lags))
    case 'lagging':
      return back(behavior.blocks)
    case 'poisoned':
      return poisonedTip(tip, behavior.view)
    default:
      return tip
  }
}

function limit(style: number, post: Post, ms: number): Plan {
  const plan = { ...noVotes(post), ms }
  const retryAfter = ['1', null, '30', '99999', 'soon', 'Wed, 21 Oct 2099 07:28:00 GMT'][style]
  if (retryAfter !== undefined) return { ...plan, answer: respond(429, 'slow down', retryAfter), text: '429' }
  const body = errorsOf(post, style === 6 ? -32005 : 429, `limit exceeded ${planted}`)
  return { ...plan, answer: respond(200, body), text: 'rate limit' }
}

function forkedTip(
  tip: Tip,
  { branch, from, ahead }: { readonly branch: number; readonly from: number; readonly ahead: number },
): Tip {
  return tip.number + ahead < from ? tip : { salt: tip.salt, branch, number: tip.number + ahead }
}

function poisonedTip(tip: Tip, view: PoisonedView): Tip {
  switch (view.kind) {
    case 'true':
      return tip
    case 'forged':
      return forkedTip(tip, view)
    case 'old':
      return blockAt(tip, tip.number - view.blocks)
  }
}
