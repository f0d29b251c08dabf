import { hash32 } from '../../support/chance.ts'
import { lieOf } from './lies.ts'
import type { ParsedCall } from './parsed-call.ts'
import { accepted, type Part, unable, writeReply, wrong } from './reply-text.ts'
import { mined, type Signed, unsent } from './signed.ts'
import { blockIn, type NodeReply, nonceAt, resultReply, truthOf, waiting } from './truth.ts'
import type { Tip } from './universe.ts'
import type { Behavior, WorldChain, WorldNode } from './world.ts'

/** One request as a node parses it. */
export interface Request {
  readonly id: string
  readonly method: string
  readonly call: ParsedCall | null
}

export interface NodeState {
  readonly chain: WorldChain
  readonly node: WorldNode
  /** Transactions that it has accepted. */
  readonly pool: Set<string>
}

/** What a node replies to one call at its tip. */
export function partOf(state: NodeState, behavior: Behavior, { id, method, call }: Request, tip: Tip): Part {
  const { chain, node } = state
  if (call === null) return wrong(id, -32601, `the method ${method} does not exist`)
  if (behavior.kind === 'unable' && method !== 'eth_chainId') return unable(id, behavior.style)
  const chainId = behavior.kind === 'wrong-chain' ? behavior.chainId : chain.id
  if (method === 'eth_sendRawTransaction') return broadcast(state, behavior, id, call)
  let reply = ownTruth(state, chainId, tip, call, behavior)
  if (behavior.kind === 'liar' || behavior.kind === 'poisoned')
    reply = lieOf({ chainId, tip, call, block: blockIn(tip, call), truth: reply, group: behavior.group })
  if (behavior.kind === 'no index' && reply.kind === 'result') reply = withoutIndex[method] ?? reply
  const plain = writeReply(id, reply, node)
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

/** The third unsent transaction of a chain has insufficient funds, the fourth a used nonce. */
function broadcast({ chain, node, pool }: NodeState, behavior: Behavior, id: string, call: ParsedCall): Part {
  const raw = call.subject
  const known = unsent.get(chain.id) ?? []
  const index = known.findIndex((signed) => signed.raw === raw)
  const signed = known[index]
  if (signed === undefined) return wrong(id, -32000, 'invalid transaction')
  if ((behavior.kind === 'liar' || behavior.kind === 'poisoned') && behavior.group % 2 === 0)
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
