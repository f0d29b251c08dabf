import type { FlightScope } from '../cache/single-flight.ts'
import type { Chain } from '../chain/chain.ts'
import type { ReadPorts } from '../chain/send-read.ts'
import type { CacheResult, TraceContext } from '../events/events.ts'
import type { Evidence, UpstreamRequestRecord } from '../events/evidence-types.ts'
import type { AgreedBlock } from '../heads/head-views.ts'
import type { Pinned } from '../heads/pin.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import type { AccountSlots, ProvenState, ProvesState } from '../methods/proves.ts'
import type { ReadQuestion } from '../quorum/read-round.ts'
import type { Signal } from '../runtime/abort.ts'
import { CallError } from '../runtime/errors.ts'
import { emptyCode } from '../wire/header-hash.ts'
import type { GatheredProofs } from './gathered-proofs.ts'
import { anchorOf } from './proof-anchor.ts'
import { type Certified, joinProofs, type ProofReply, recordOf, withCode } from './proof-record.ts'
import {
  codeSpec,
  evidenceOfParts,
  type ProofRequest,
  type Proven,
  proofSpec,
  sendProof,
} from './proof-round.ts'
import { verifyCode, verifyProof } from './trie-proof.ts'
import { readProof } from './trie-walk.ts'

/** A read that a proof may answer. */
export interface ProvableRead {
  readonly chain: Chain
  readonly spec: MethodSpec
  readonly pinned: Pinned
  /** Under which its result is kept. */
  readonly key: string
  readonly policy: ReadQuestion['policy']
  /** When the request must have been answered, epoch milliseconds. */
  readonly endMs: number
  readonly trace: TraceContext | null
  /** The caller's departure. */
  readonly signal: () => Signal
  /** What is kept under a key and strong enough for the caller. */
  readonly getCached: (key: string) => Proven | null
  /** Joins an identical proof in flight, else proves, and keeps what may serve others. */
  readonly joinOrProve: (
    key: string,
    signal: () => Signal,
    prove: (flight: FlightScope) => Promise<Proven>,
  ) => Promise<ProvenResult>
}

export interface ProvingPorts extends ReadPorts {
  readonly gathered: GatheredProofs
  /** The proof in an earlier certificate, for as long as that is kept. */
  readonly proofOf: (id: string) => Evidence['proof']
}

export interface ProvenResult extends Proven {
  readonly cache: CacheResult
  /** Undefined of what was known, once newer answers have taken its place. */
  readonly proof?: Evidence['proof']
}

/** An agreed block that hashes to its hash. */
export type VerifiedBlock = AgreedBlock & {
  readonly [Name in 'stateRoot' | 'verified']: NonNullable<AgreedBlock[Name]>
}

/** A read of accounts at an agreed block. */
interface StateRead {
  readonly read: ProvableRead
  readonly proves: ProvesState
  readonly block: VerifiedBlock
  readonly accounts: readonly [AccountSlots, ...AccountSlots[]]
}

/** The result of the read; null where nothing can be proven now. */
export async function proveState(state: StateRead, ports: ProvingPorts): Promise<ProvenResult | null> {
  const { read, proves, accounts } = state
  if (proves.kind === 'reply') return proveReply(state, ports)
  if (proves.kind === 'code') return proveCode(state, ports)
  const proven = await proveAccounts(state, ports)
  if (proven === null) return null
  const states = accounts.length === 1 ? [JSON.parse(proven.raw)] : JSON.parse(proven.raw)
  return { ...proven, raw: JSON.stringify(proves.valueOf(states, read.pinned.params)) }
}

/** What is kept under a key, else what is proven now; null where nothing can be. */
async function findOrProve(
  { read, block }: StateRead,
  key: string,
  { proofOf }: ProvingPorts,
  prove: (request: ProofRequest) => Promise<Proven>,
): Promise<ProvenResult | null> {
  const known = read.getCached(key)
  if (known !== null) {
    const { raw, evidence } = known
    return { raw, evidence, cache: 'hit', proof: proofOf(evidence.id) }
  }
  const { chain, policy, endMs, trace, pinned } = read
  const anchor = anchorOf(read, {
    block,
    // A call that names its block by the hash alone is pinned to none.
    pinned: pinned.block ?? { number: block.number, hash: block.hash },
    method: proofSpec.method,
    orQuorum: chain.config.proofs === 'auto',
  })
  if (anchor === null) return null
  return read.joinOrProve(key, read.signal, (flight) =>
    prove({ chain, policy, endMs, trace, anchor, ...flight }),
  )
}

/** What is proven of the accounts: one state, or a list of several. */
function proveAccounts(state: StateRead, ports: ProvingPorts): Promise<ProvenResult | null> {
  const { read, accounts } = state
  const [account, ...others] = accounts
  if (others.length === 0) return proveAccount(state, account, ports)
  return findOrProve(state, read.key, ports, async ({ anchor, signal }) => {
    const shared = { ...state, read: { ...read, signal: () => signal } }
    const parts = await Promise.all(
      accounts.map(async (each) => (await proveAccount(shared, each, ports)) ?? raiseUnproven()),
    )
    const proof = joinProofs(
      parts.map(({ proof }, index) => ({ proof, slots: accounts[index]?.slots ?? [] })),
    )
    const raw = `[${parts.map((part) => part.raw)}]`
    const { spec, pinned } = read
    const whole = { method: spec.method, params: pinned.params, raw, certified: { text: raw, proof } }
    return evidenceOfParts(read.chain, anchor, whole, parts, ports)
  })
}

function raiseUnproven(): never {
  throw new CallError('unproven', { data: { reason: 'unproven' } })
}

async function proveAccount(
  state: StateRead,
  { address, slots }: AccountSlots,
  ports: ProvingPorts,
): Promise<ProvenResult | null> {
  const { block, read } = state
  const { chain, policy, endMs } = read
  // Reads share a request only if their deadlines differ by less than a stall.
  const endTurn = Math.floor(endMs / chain.stallMs)
  const gathering = `${chain.key}|${policy}|${chain.trust.epoch()}|${address}|${block.hash}|${endTurn}`
  let isFirst = true
  const proven = await findOrProve(
    state,
    `proof|${address}|${slots}|${block.hash}`,
    ports,
    async (request) => {
      const { signal, callers } = request
      const part = await ports.gathered.join(
        gathering,
        { slots, endMs, signal, callers },
        ({ slots, ...everybody }) =>
          sendAccountProof({ address, slots }, block, { ...request, ...everybody }, ports, (state) =>
            JSON.stringify(state),
          ),
      )
      isFirst = part.isFirst
      return part.proven
    },
  )
  return proven === null || isFirst ? proven : { ...proven, cache: 'shared' }
}

/** The code of an account, by the hash that is proven of it. */
async function proveCode(state: StateRead, ports: ProvingPorts): Promise<ProvenResult | null> {
  const { block, accounts } = state
  const proven = await proveAccount(state, accounts[0], ports)
  if (proven === null) return null
  const { account } = JSON.parse(proven.raw) as ProvenState
  const codeHash = account?.codeHash ?? emptyCode
  if (codeHash === emptyCode) return { ...proven, raw: '"0x"' }
  const before = proven.cache === 'miss' ? proven.evidence.requests : noRequests
  const { address } = accounts[0]
  // Its certificate is that of this account: another one may have the same code.
  return findOrProve(state, `code|${address}|${codeHash}|${block.hash}`, ports, (request) =>
    sendProof(
      {
        spec: codeSpec,
        params: [address, { blockHash: block.hash }],
        isFixed: true,
        textOf(value) {
          const read = verifyCode(value, codeHash)
          return 'verified' in read ? JSON.stringify(read.verified) : null
        },
        certifiedOf: (raw) => ({ text: raw, proof: withCode(proven.proof, raw) }),
        before,
      },
      request,
      ports,
    ),
  )
}

const noRequests: readonly UpstreamRequestRecord[] = []

/** The reply itself, which is long: nothing else is read from it. */
function proveReply(state: StateRead, ports: ProvingPorts): Promise<ProvenResult | null> {
  const { read, block, accounts } = state
  const [account] = accounts
  return findOrProve(state, read.key, ports, (request) =>
    sendAccountProof(account, block, request, ports, (proven, reply) =>
      JSON.stringify(replyOf(reply, account, proven)),
    ),
  )
}

/** Has one node prove an account. `textOf`: what is returned of it. */
function sendAccountProof(
  account: AccountSlots,
  { hash, stateRoot, verified }: VerifiedBlock,
  request: ProofRequest,
  ports: ProvingPorts,
  textOf: (state: ProvenState, reply: ProofReply) => string,
): Promise<Proven> {
  let certified: Certified | undefined
  return sendProof(
    {
      spec: proofSpec,
      // By the block's hash: a node of another branch does not have it, and is at no fault.
      params: [account.address, account.slots, { blockHash: hash }],
      isFixed: account.slots.length <= 1,
      textOf(value) {
        const read = verifyProof(value, { stateRoot, ...account })
        if ('fault' in read) return null
        const reply = value as ProofReply
        certified ??= { text: JSON.stringify(read.verified), proof: recordOf(reply, account, verified) }
        return textOf(read.verified, reply)
      },
      certifiedOf: (raw) =>
        typeof certified?.proof === 'object' ? certified : { text: raw, proof: certified?.proof },
    },
    request,
    ports,
  )
}

const zeros = `0x${'0'.repeat(64)}`

/** The reply as it is proven: the values by the proof, and the nodes of it. */
function replyOf(
  { accountProof, storageProof }: ProofReply,
  { address, slots }: AccountSlots,
  { account, slots: values }: ProvenState,
): object {
  return {
    address,
    accountProof: readProof(accountProof),
    balance: account?.balance ?? '0x0',
    codeHash: account?.codeHash ?? zeros,
    nonce: account?.nonce ?? '0x0',
    storageHash: account?.storageHash ?? zeros,
    storageProof: slots.map((key, index) => ({
      key,
      value: values[index],
      proof: readProof(storageProof[index]?.proof),
    })),
  }
}
