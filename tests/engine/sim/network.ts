import { type Send, SendFault, type SendRequest, type SendResponse, type Signal } from '#rpc-proxy'
import type { Chance } from '../../support/chance.ts'
import type { NodeState, Request } from './call-reply.ts'
import { keyOf, type ParsedCall } from './parsed-call.ts'
import { type Plan, planReply, readRequests } from './reply.ts'
import type { Vote } from './reply-text.ts'
import type { Time } from './time.ts'
import type { WorldChain, WorldNode } from './world.ts'

/** A reply that the engine received and counts as a vote. */
export interface ReceivedVote extends Vote {
  /** Its sequence number. */
  readonly order: number
  readonly atMs: number
  readonly node: WorldNode
  readonly block: number | null
  /** It certainly counted. In a batch it may belong to an aborted call, and a lie may contradict a block, until a verdict names it. */
  isSure: boolean
}

/** A vote as a verdict names it. `block` is null for methods without a block number. */
export interface Counted {
  readonly chainId: number
  readonly node: string
  readonly method: string
  readonly block: number | null
  readonly atMs: number
}

/** One sent request and its outcome. */
export interface Sent {
  readonly chain: WorldChain
  readonly node: WorldNode
  readonly requests: readonly Request[]
  readonly keys: readonly string[]
  readonly order: number
  readonly atMs: number
  readonly signal: Signal
  endMs: number | null
  plan: Plan | null
}

/** The nodes of a world, and the oracle's own record of their replies. */
export interface Network {
  readonly send: Send
  /** Votes on a key of a chain, in order of arrival. */
  readonly votes: (chain: WorldChain, key: string) => readonly ReceivedVote[]
  readonly sends: (chain: WorldChain, key: string) => readonly Sent[]
  /** A verdict counted a vote of this node from that time. False if there was none for this method. */
  readonly count: (counted: Counted) => boolean
  /** Operators with a node that replied "no such method" to this method or to its batch. */
  readonly withoutMethod: (chain: WorldChain, method: string) => ReadonlySet<string>
  /** Whether a node was asked for a first part of this log range, which ends at `last`. */
  readonly hasParts: (chain: WorldChain, call: ParsedCall, last: number) => boolean
  /** Whether this node lacked the block of some part of this log range. */
  readonly lacksPart: (chain: WorldChain, call: ParsedCall, node: WorldNode) => boolean
  readonly outstanding: () => Iterable<Sent>
  /** The next sequence number. It orders events of the same millisecond. */
  readonly tick: () => number
}

interface NetworkPorts {
  readonly time: Time
  readonly chance: Chance
  /** A transport that ignores aborts delivers replies after an abort. */
  readonly ignoresAbort: boolean
  readonly onSend: (sent: Sent) => void
  readonly onReply: (sent: Sent) => void
}

const nothing: readonly never[] = []

export function createNetwork(chains: readonly WorldChain[], ports: NetworkPorts): Network {
  const { time, chance, ignoresAbort } = ports
  const nodeStates = new Map<string, NodeState>()
  for (const chain of chains)
    for (const node of chain.nodes) nodeStates.set(node.url, { chain, node, pool: new Set() })
  const votes = new Map<string, ReceivedVote[]>()
  const sends = new Map<string, Sent[]>()
  const outstanding = new Set<Sent>()
  const votesByMethod = new Map<string, ReceivedVote[]>()
  const ranges = new Map<string, { readonly from: number; readonly to: number; readonly sent: Sent }[]>()
  const without = new Map<string, Set<string>>()
  let ticks = 0

  /** Records asked ranges by method and filter. */
  function noteRange(sent: Sent, { method, subject, block, from }: ParsedCall): void {
    if (block.kind === 'number' && from.kind === 'number')
      add(ranges, keyIn(sent.chain, `${method}|${subject}`), { from: from.number, to: block.number, sent })
  }

  function deliver(sent: Sent, plan: Plan): void {
    sent.endMs = time.now()
    outstanding.delete(sent)
    for (const [position, planned] of plan.votes.entries()) {
      // A reply after an abort is not counted.
      if (planned === null || sent.signal.aborted) continue
      noteVote(sent, position, planned)
    }
    if ('response' in plan.answer && String(plan.answer.response.body).includes('"code":-32601'))
      for (const { method } of sent.requests) noteWithout(sent, method)
    ports.onReply(sent)
  }

  function noteVote({ chain, node, requests, keys }: Sent, position: number, planned: Vote): void {
    const vote: ReceivedVote = {
      ...planned,
      order: ticks++,
      atMs: time.now(),
      node,
      block: numberIn(requests[position]),
      isSure: keys.length === 1 && planned.isDoubtful !== true,
    }
    add(votes, keys[position] as string, vote)
    add(votesByMethod, `${chain.id} ${node.name} ${requests[position]?.method}`, vote)
  }

  function noteWithout({ chain, node }: Sent, method: string): void {
    const key = keyIn(chain, method)
    without.set(key, (without.get(key) ?? new Set()).add(node.operator))
  }

  function send({ url, body, signal }: SendRequest): Promise<SendResponse> {
    const state = nodeStates.get(url) as NodeState
    const post = readRequests(body)
    const { requests } = post
    const sent: Sent = {
      chain: state.chain,
      node: state.node,
      requests,
      keys: requests.map(({ method, call }) => keyIn(state.chain, call === null ? method : keyOf(call))),
      order: ticks++,
      atMs: time.now(),
      signal,
      endMs: null,
      plan: null,
    }
    // An already aborted signal sends nothing.
    if (signal.aborted) return Promise.reject(cancelled)
    for (const key of sent.keys) add(sends, key, sent)
    for (const { call } of requests) if (call?.method === 'eth_getLogs') noteRange(sent, call)
    ports.onSend(sent)
    outstanding.add(sent)
    const plan = planReply(state, post, { nowMs: time.now(), chance })
    sent.plan = plan
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        if (sent.endMs !== null || ignoresAbort) return
        sent.endMs = time.now()
        outstanding.delete(sent)
        reject(cancelled)
      }
      signal.addEventListener('abort', onAbort, { once: true })
      if (plan.ms === null) return
      time.at(sent.atMs + plan.ms, chance.next(), () => {
        if (sent.endMs !== null) return
        signal.removeEventListener('abort', onAbort)
        deliver(sent, plan)
        if ('fault' in plan.answer) reject(new SendFault(plan.answer.fault))
        else resolve(plan.answer.response)
      })
    })
  }

  return {
    send,
    votes: (chain, key) => votes.get(keyIn(chain, key)) ?? nothing,
    sends: (chain, key) => sends.get(keyIn(chain, key)) ?? nothing,
    count({ chainId, node, method, block, atMs }) {
      const heard = (votesByMethod.get(`${chainId} ${node} ${method}`) ?? nothing).filter(
        (vote) => vote.atMs === atMs,
      )
      for (const vote of heard) vote.isSure ||= vote.block === block
      return heard.length > 0
    },
    withoutMethod: (chain, method) => without.get(keyIn(chain, method)) ?? new Set(),
    hasParts: (chain, { method, subject, from: first }, last) =>
      ranges
        .get(keyIn(chain, `${method}|${subject}`))
        ?.some(({ from, to }) => first.kind === 'number' && from === first.number && to < last) ?? false,
    lacksPart: (chain, { method, subject }, node) =>
      ranges
        .get(keyIn(chain, `${method}|${subject}`))
        ?.some(({ sent }) => sent.node === node && sent.plan?.behind) ?? false,
    outstanding: () => outstanding,
    tick: () => ticks++,
  }
}

function numberIn(request: Request | undefined): number | null {
  const block = request?.call?.block
  return block?.kind === 'number' ? block.number : null
}

const cancelled = new SendFault('cancelled')
const keyIn = ({ id }: WorldChain, key: string) => `${id} ${key}`

function add<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [item])
  else list.push(item)
}
