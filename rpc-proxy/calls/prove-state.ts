import type { CacheResult } from '../events/events.ts'
import type { Evidence, UpstreamRequestRecord } from '../events/evidence-types.ts'
import type { AgreedBlock } from '../heads/head-views.ts'
import type { AccountSlots, ProvenState, ProvesState } from '../methods/proves.ts'
import { anchorOf } from '../proving/proof-anchor.ts'
import { type Certified, joinProofs, type ProofReply, recordOf, withCode } from '../proving/proof-record.ts'
import {
  codeSpec,
  evidenceOfParts,
  type ProofRequest,
  type Proven,
  proofSpec,
  sendProof,
} from '../proving/proof-round.ts'
import { verifyCode, verifyProof } from '../proving/trie-proof.ts'
import { readProof } from '../proving/trie-walk.ts'
import { noOperators, type OperatorSet } from '../quorum/electorate.ts'
import { CallError } from '../runtime/errors.ts'
import { emptyCode } from '../wire/header-hash.ts'
import type { ReadAgreement, ReadScope, ReadServices } from './services.ts'
import { getCached, joinFlight, type ReadKey } from './stored-result.ts'

export interface ProvenResult extends Proven {
  readonly cache: CacheResult
  /** Undefined for a cached result whose certificate is no longer kept. */
  readonly proof?: Evidence['proof']
}

/** An agreed block whose header hashes to its hash. */
export type VerifiedBlock = AgreedBlock & {
  readonly [Name in 'stateRoot' | 'verified']: NonNullable<AgreedBlock[Name]>
}

/** A read of accounts at an agreed block. */
interface StateRead {
  readonly target: ReadKey
  readonly scope: Omit<ReadScope, 'head'>
  readonly proves: ProvesState
  readonly block: VerifiedBlock
  readonly accounts: readonly [AccountSlots, ...AccountSlots[]]
}

/** The result of the read; null where nothing can be proven now. */
export async function proveState(state: StateRead, services: ReadServices): Promise<ProvenResult | null> {
  const { target, proves, accounts } = state
  if (proves.kind === 'reply') return proveReply(state, services)
  if (proves.kind === 'code') return proveCode(state, services)
  const proven = await proveAccounts(state, services)
  if (proven === null) return null
  const states = accounts.length === 1 ? [JSON.parse(proven.raw)] : JSON.parse(proven.raw)
  return { ...proven, raw: JSON.stringify(proves.valueOf(states, target.pinned.params)) }
}

/** The cached result of a key, else one that is proven now; null where none can be. Proven results are cached and shared like others. */
async function findOrProve(
  { target, scope, block }: StateRead,
  key: string,
  services: ReadServices,
  prove: (request: ProofRequest) => Promise<Proven>,
): Promise<ProvenResult | null> {
  const known = getCached(services, key, scope)
  if (known !== null) {
    const { raw, evidence } = known
    return { raw, evidence, cache: 'hit', proof: services.proofOf(evidence.id) }
  }
  const { chain, policy, endMs, trace } = scope
  const anchor = anchorOf(scope, {
    block,
    // A call that names its block by the hash alone is pinned to none.
    pinned: target.pinned.block ?? { number: block.number, hash: block.hash },
    method: proofSpec.method,
    orQuorum: chain.config.proofs === 'auto',
  })
  if (anchor === null) return null
  const { value, cache } = joinFlight(services, { ...target, key }, scope, {
    flightKey: key,
    run: async (flight) => agreementOf(await prove({ chain, policy, endMs, trace, anchor, ...flight })),
  })
  const { result, evidence, proof } = await value
  return { raw: (result as { readonly raw: string }).raw, evidence, cache, proof }
}

/** A proven result, with the operators behind its block. */
function agreementOf({ raw, evidence }: Proven): ReadAgreement {
  return {
    result: { raw },
    evidence,
    operators: evidence.supporters as OperatorSet,
    indispensable: noOperators,
    isOffChain: false,
    namedNumber: null,
    proof: evidence.proof,
  }
}

/** What is proven of the accounts: one state, or a list of several. */
function proveAccounts(state: StateRead, services: ReadServices): Promise<ProvenResult | null> {
  const { target, scope, accounts } = state
  const [account, ...others] = accounts
  if (others.length === 0) return proveAccount(state, account, services)
  return findOrProve(state, target.key, services, async ({ anchor, signal }) => {
    const shared = { ...state, scope: { ...scope, signal: () => signal } }
    const parts = await Promise.all(
      accounts.map(async (each) => (await proveAccount(shared, each, services)) ?? raiseUnproven()),
    )
    const proof = joinProofs(
      parts.map(({ proof }, index) => ({ proof, slots: accounts[index]?.slots ?? [] })),
    )
    const raw = `[${parts.map((part) => part.raw)}]`
    const { spec, pinned } = target
    const whole = { method: spec.method, params: pinned.params, raw, proof }
    return evidenceOfParts(scope.chain, anchor, whole, parts, services)
  })
}

function raiseUnproven(): never {
  throw new CallError('unproven', { data: { reason: 'unproven' } })
}

async function proveAccount(
  state: StateRead,
  { address, slots }: AccountSlots,
  services: ReadServices,
): Promise<ProvenResult | null> {
  const { block, scope } = state
  const { chain, policy, endMs } = scope
  // Reads share a request only if their deadlines differ by less than a stall.
  const endTurn = Math.floor(endMs / chain.stallMs)
  const gathering = `${chain.key}|${policy}|${chain.trust.epoch()}|${address}|${block.hash}|${endTurn}`
  let isFirst = true
  const proven = await findOrProve(
    state,
    `proof|${address}|${slots}|${block.hash}`,
    services,
    async (request) => {
      const { signal, callers } = request
      const part = await services.gathered.join(
        gathering,
        { slots, endMs, signal, callers },
        ({ slots, ...everybody }) =>
          sendAccountProof({ address, slots }, block, { ...request, ...everybody }, services, (state) =>
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
async function proveCode(state: StateRead, services: ReadServices): Promise<ProvenResult | null> {
  const { block, accounts } = state
  const proven = await proveAccount(state, accounts[0], services)
  if (proven === null) return null
  const { account } = JSON.parse(proven.raw) as ProvenState
  const codeHash = account?.codeHash ?? emptyCode
  if (codeHash === emptyCode) return { ...proven, raw: '"0x"' }
  const before = proven.cache === 'miss' ? proven.evidence.requests : noRequests
  const { address } = accounts[0]
  // The certificate is about this account, though others may have the same code.
  return findOrProve(state, `code|${address}|${codeHash}|${block.hash}`, services, (request) =>
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
      services,
    ),
  )
}

const noRequests: readonly UpstreamRequestRecord[] = []

/** The reply itself, which is long: nothing else is read from it. */
function proveReply(state: StateRead, services: ReadServices): Promise<ProvenResult | null> {
  const { target, block, accounts } = state
  const [account] = accounts
  return findOrProve(state, target.key, services, (request) =>
    sendAccountProof(account, block, request, services, (proven, reply) =>
      JSON.stringify(replyOf(reply, account, proven)),
    ),
  )
}

/** Has one node prove an account. `textOf`: what is returned of it. */
function sendAccountProof(
  account: AccountSlots,
  { hash, stateRoot, verified }: VerifiedBlock,
  request: ProofRequest,
  services: ReadServices,
  textOf: (state: ProvenState, reply: ProofReply) => string,
): Promise<Proven> {
  let certified: Certified | undefined
  return sendProof(
    {
      spec: proofSpec,
      // By the block's hash: a node on another branch does not have it, which is no fault.
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
    services,
  )
}

const zeros = `0x${'0'.repeat(64)}`

/** What is proven of a reply: the nodes of the proof, and the values that follow from them. */
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
