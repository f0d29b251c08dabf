import type { FlightScope } from '../cache/single-flight.ts'
import type { CacheResult, Evidence, UpstreamRequestRecord } from '../events/events.ts'
import type { AgreedBlock } from '../heads/head-views.ts'
import { blockRefsOf } from '../methods/block-ref.ts'
import type { Proves } from '../methods/proves.ts'
import { emptyCode, type ProvenState, verifyProof } from '../proofs/trie-proof.ts'
import { CallError } from '../runtime/errors.ts'
import { footingOf } from './footing.ts'
import { type Footing, proveCode, proveState } from './prove.ts'
import type { ReadAgreement } from './read.ts'
import type { CallResult, Scope, Services } from './services.ts'
import { type Keyed, look, share } from './share.ts'

/** A read at an agreed block whose state root is known. */
export interface Provable {
  readonly target: Keyed
  readonly proves: Proves
  readonly block: Provided
  readonly address: string
  readonly slots: readonly string[]
}

type Provided = AgreedBlock & { readonly stateRoot: string }

/** The same read where a proof could be its result; null where none could. Throws CallError `unproven` where one is required. */
export function provableIn(target: Keyed, scope: Scope): Provable | null {
  const { rule, pinned } = target
  const { proves } = rule
  const { proofs } = scope.chain.config
  if (proves === null || proofs === 'off') return null
  const block = blockIn(target, scope)
  if (block === null) return unprovenIn(scope)
  const [address] = pinned.params as [string]
  return { target, proves, block, address, slots: proves.slotsOf(pinned.params) }
}

/** The result by the proof of one node; null where none proves it. Throws CallError `unproven` where a proof is required. */
export async function readProven(
  services: Services,
  provable: Provable,
  scope: Scope,
): Promise<CallResult | null> {
  try {
    const found = await resultOf(services, provable, scope)
    if (found === null || isGone(provable, scope)) return unprovenIn(scope)
    const { raw, evidence, cache } = found
    return { outcome: { raw }, evidence, block: provable.target.pinned.block, cache }
  } catch (thrown) {
    const isUnproven = thrown instanceof CallError && thrown.kind === 'unproven'
    if (isUnproven && scope.chain.config.proofs === 'auto') return null
    throw thrown
  }
}

/** Meanwhile a reorg has put another block at its number. */
function isGone({ target: { pinned }, block }: Provable, { chain }: Scope): boolean {
  return pinned.block !== null && chain.heads.lastHashAt(pinned.block.number) !== block.hash
}

function unprovenIn({ chain }: Scope): null {
  if (chain.config.proofs !== 'required') return null
  throw new CallError('unproven', { data: { reason: 'unproven' } })
}

/** The agreed block that the call names, where the head is known to descend from it and its header is verified. */
function blockIn({ rule, pinned }: Keyed, { chain: { heads } }: Scope): Provided | null {
  const [ref] = blockRefsOf(rule, pinned.params)
  const block =
    pinned.block !== null
      ? heads.blockAt(pinned.block.number)
      : ref !== undefined && 'hash' in ref
        ? heads.blockOf(ref.hash)
        : null
  return block?.stateRoot != null && heads.hashAt(block.number) === block.hash ? (block as Provided) : null
}

interface Found {
  readonly raw: string
  readonly evidence: Evidence
  readonly cache: CacheResult
}

async function resultOf(services: Services, provable: Provable, scope: Scope): Promise<Found | null> {
  const { target, proves, block, address, slots } = provable
  const { stateRoot } = block
  const isReply = proves.kind === 'reply'
  const textOf = (value: unknown) => {
    const read = verifyProof(value, { stateRoot, address, slots })
    if ('fault' in read) return null
    return JSON.stringify(
      isReply ? replyOf(value as Reply, { address, slots }, read.verified) : read.verified,
    )
  }
  // All reads of one account and slot share what is proven of it, but for the reply, which is long.
  const key = isReply ? target.key : `proof|${address}|${slots}|${block.hash}`
  const state = await find(services, { ...provable, key }, scope, (footing, flight) =>
    proveState(scope.chain, { address, slots, textOf }, { ...scopeOf(scope, flight), footing }, services),
  )
  if (state === null || isReply) return state
  const proven = JSON.parse(state.raw) as ProvenState
  if (proves.kind === 'value') return { ...state, raw: JSON.stringify(proves.valueOf(proven)) }
  const codeHash = proven.account?.codeHash ?? emptyCode
  if (codeHash === emptyCode) return { ...state, raw: '"0x"' }
  const before = state.cache === 'miss' ? state.evidence.requests : noRequests
  return find(services, { ...provable, key: `code|${codeHash}|${block.hash}` }, scope, (footing, flight) =>
    proveCode(scope.chain, { address, codeHash }, { ...scopeOf(scope, flight), footing, before }, services),
  )
}

const noRequests: readonly UpstreamRequestRecord[] = []

const scopeOf = ({ policy, endMs, trace }: Scope, flight: FlightScope) => ({
  policy,
  endMs,
  trace,
  ...flight,
})

/** What is known under a key, else what is proven now; null where nothing can be. */
async function find(
  services: Services,
  { target, block, key }: Provable & Pick<Keyed, 'key'>,
  scope: Scope,
  prove: (footing: Footing, flight: FlightScope) => Promise<ReadAgreement>,
): Promise<Found | null> {
  const known = look(services, key, scope)
  if (known !== null) return { raw: known.raw, evidence: known.evidence, cache: 'hit' }
  const footing = footingOf(scope, { block, pinned: target.pinned.block })
  if (footing === null) return null
  const { result, evidence, cache } = await share(
    services,
    { ...target, key, difference: '' },
    scope,
    (flight) => prove(footing, flight),
  )
  return { raw: (result as { readonly raw: string }).raw, evidence, cache }
}

interface Reply {
  readonly accountProof: readonly string[] | null
  readonly storageProof: readonly { readonly proof: readonly string[] | null }[]
}

const zeros = `0x${'0'.repeat(64)}`

/** The reply as it is proven: the values by the proof, and the nodes of it. */
function replyOf(
  { accountProof, storageProof }: Reply,
  { address, slots }: Pick<Provable, 'address' | 'slots'>,
  { account, slots: values }: ProvenState,
): object {
  return {
    address,
    accountProof: accountProof ?? [],
    balance: account?.balance ?? '0x0',
    codeHash: account?.codeHash ?? zeros,
    nonce: account?.nonce ?? '0x0',
    storageHash: account?.storageHash ?? zeros,
    storageProof: slots.map((key, index) => ({
      key,
      value: values[index],
      proof: storageProof[index]?.proof ?? [],
    })),
  }
}
