import type { AgreedBlock } from '../heads/head-views.ts'
import type { Pinned } from '../heads/pin.ts'
import { hexOf } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { methodSpec } from '../methods/table.ts'
import { historyContract, historySlot } from '../proofs/history-contract.ts'
import { CallError } from '../runtime/errors.ts'
import { footingOf } from './footing.ts'
import { methodOf, proveHeader } from './prove.ts'
import { provableIn, readProven } from './proven-read.ts'
import type { Scope, Services } from './services.ts'

/**
 * The same read with the hash of its block, where that is older than the agreed blocks and a proof could be the result: the head's
 * state has the hash of the block (EIP-2935), and its header hashes to it.
 */
export async function withOldBlock(
  services: Services,
  rule: MethodSpec,
  pinned: Pinned | null,
  scope: Scope,
): Promise<Pinned | null> {
  const { heads, config } = scope.chain
  const { proves } = rule
  if (pinned?.block == null || pinned.block.hash !== null || proves === null || config.proofs === 'off')
    return pinned
  // What is in a block is read of recent ones alone.
  if (proves.kind === 'body') return pinned
  const { number } = pinned.block
  await learn(services, number, scope)
  return { ...pinned, block: { number, hash: heads.hashAt(number) } }
}

/** Takes the block in, where it is proven to be one of the head's ancestors. */
async function learn(services: Services, number: number, scope: Scope): Promise<void> {
  const { heads } = scope.chain
  const head = heads.current()?.block ?? null
  if (head === null || !isProvable(number, scope)) return
  try {
    const hash = await hashBefore(services, { number, head }, scope)
    const block =
      hash === null ? null : (heads.blockOf(hash) ?? (await headerOf(services, { number, hash }, scope)))
    if (block?.number === number) heads.prove(block, head)
  } catch (thrown) {
    if (!(thrown instanceof CallError && thrown.kind === 'unproven')) throw thrown
  }
}

/** A node may prove what is read of that block: it takes two requests to know the block. */
function isProvable(number: number, scope: Scope): boolean {
  return footingOf(scope, { block: { number, hash: '' }, pinned: null, ...stateIn(scope) }) !== null
}

/** What is read of the block is state. */
const stateIn = ({ chain }: Scope) => ({
  method: methodOf('state'),
  orQuorum: chain.config.proofs === 'auto',
})

interface Ancestor {
  readonly number: number
  readonly head: AgreedBlock
}

const none = `0x${'0'.repeat(64)}`

/** What the contract has; null where that is nothing, or nobody proves it. */
async function hashBefore(
  services: Services,
  { number, head }: Ancestor,
  scope: Scope,
): Promise<string | null> {
  const slot = historySlot(scope.chain.config.id, number, head.number)
  if (slot === null) return null
  const params = [historyContract, slot, hexOf(head.number)]
  const rule = methodSpec('eth_getStorageAt')
  const target = {
    rule,
    pinned: { params, block: { number: head.number, hash: head.hash }, at: null },
    anchor: head,
    key: `${rule.method}|${JSON.stringify(params)}|${head.hash}`,
    difference: '',
  }
  const provable = provableIn(services, target, scope)
  const result = provable === null ? null : await readProven(provable, scope)
  if (result === null || 'error' in result.outcome) return null
  const hash = JSON.parse(result.outcome.raw) as string
  return hash === none ? null : hash
}

async function headerOf(
  services: Services,
  pinned: { readonly number: number; readonly hash: string },
  scope: Scope,
): Promise<AgreedBlock | null> {
  const footing = footingOf(scope, { block: pinned, pinned, ...stateIn(scope) })
  if (footing === null) return null
  const { chain, policy, endMs, trace } = scope
  const flights = services.singleFlight(chain)
  const { value } = flights.share(`header|${pinned.hash}`, scope, (flight) =>
    proveHeader(chain, { policy, endMs, trace, ...flight, footing }, services),
  )
  const { result } = await value
  return 'raw' in result ? (JSON.parse(result.raw) as AgreedBlock) : null
}
