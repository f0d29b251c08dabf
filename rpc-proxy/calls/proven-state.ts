import type { UpstreamRequestRecord } from '../events/evidence-types.ts'
import type { ProvesState } from '../methods/proves.ts'
import { type AccountSlots, emptyCode, type ProvenState, verifyProof } from '../proofs/trie-proof.ts'
import { type Certified, joined, type ProofReply, recordOf } from './proof-record.ts'
import { proveCode, provenTogether, proveState } from './prove.ts'
import { type Found, find, type Provided, raiseUnproven, scopeOf } from './proven-find.ts'
import type { Scope, Services } from './services.ts'
import type { Keyed } from './share.ts'

/** A read of accounts at an agreed block whose state root is known. */
interface Provable {
  readonly target: Keyed
  readonly proves: ProvesState
  readonly block: Provided
  readonly accounts: readonly [AccountSlots, ...AccountSlots[]]
}

/** The result of the read; null where nothing can be proven now. */
export async function provenState(
  services: Services,
  provable: Provable,
  scope: Scope,
): Promise<Found | null> {
  const { target, proves, accounts } = provable
  if (proves.kind === 'reply') return replyProven(services, provable, scope)
  if (proves.kind === 'code') return codeProven(services, provable, scope)
  const found = await statesOf(services, provable, scope)
  if (found === null) return null
  const states = accounts.length === 1 ? [JSON.parse(found.raw)] : JSON.parse(found.raw)
  return { ...found, raw: JSON.stringify(proves.valueOf(states, target.pinned.params)) }
}

/** What is proven of the accounts: one state, or a list of several. */
function statesOf(services: Services, provable: Provable, scope: Scope): Promise<Found | null> {
  const { target, block, accounts } = provable
  const [account, ...others] = accounts
  if (others.length === 0) return stateOf(services, provable, account, scope)
  return find(services, { target, block, key: target.key }, scope, async (footing, { signal }) => {
    const shared = { ...scope, signal: () => signal }
    const states = await Promise.all(accounts.map((each) => stateOf(services, provable, each, shared)))
    const parts = states.map((state) => state ?? raiseUnproven())
    const { rule, pinned } = target
    const proof = joined(parts.map(({ proof }, index) => ({ proof, of: accounts[index] as AccountSlots })))
    const raw = `[${parts.map(({ raw }) => raw)}]`
    const whole = { method: rule.method, params: pinned.params, raw, certified: { text: raw, proof } }
    return provenTogether(scope.chain, footing, whole, parts, services)
  })
}

async function stateOf(
  services: Services,
  { target, block }: Provable,
  { address, slots }: AccountSlots,
  scope: Scope,
): Promise<Found | null> {
  const { chain, policy } = scope
  const key = `proof|${address}|${slots}|${block.hash}`
  const gathering = `${chain.key}|${policy}|${chain.trust.epoch()}|${address}|${block.hash}`
  let isFirst = true
  const found = await find(services, { target, block, key }, scope, async (footing, flight) => {
    const part = await services.gathered.join(gathering, { slots, ...flight }, ({ slots, ...everybody }) => {
      const claim = claimOf({ address, slots }, block, (_, state) => JSON.stringify(state))
      return proveState(chain, claim, { ...scopeOf(scope, everybody), footing }, services)
    })
    isFirst = part.isFirst
    return part.agreement
  })
  return found === null || isFirst ? found : { ...found, cache: 'shared' }
}

/** The code of an account, by the hash that is proven of it. */
async function codeProven(services: Services, provable: Provable, scope: Scope): Promise<Found | null> {
  const { target, block, accounts } = provable
  const state = await stateOf(services, provable, accounts[0], scope)
  if (state === null) return null
  const { account } = JSON.parse(state.raw) as ProvenState
  const codeHash = account?.codeHash ?? emptyCode
  if (codeHash === emptyCode) return { ...state, raw: '"0x"' }
  const before = state.cache === 'miss' ? state.evidence.requests : noRequests
  const [{ address }] = accounts
  return find(services, { target, block, key: `code|${codeHash}|${block.hash}` }, scope, (footing, flight) =>
    proveCode(
      scope.chain,
      { address, codeHash, proof: state.proof },
      { ...scopeOf(scope, flight), footing, before },
      services,
    ),
  )
}

/** The reply itself, which is long: nothing else is read from it. */
function replyProven(services: Services, provable: Provable, scope: Scope): Promise<Found | null> {
  const { target, block, accounts } = provable
  const [account] = accounts
  const claim = claimOf(account, block, (reply, state) => JSON.stringify(replyOf(reply, account, state)))
  return find(services, { target, block, key: target.key }, scope, (footing, flight) =>
    proveState(scope.chain, claim, { ...scopeOf(scope, flight), footing }, services),
  )
}

/** An account that is proven: what is returned of a reply, and what its certificate shows. */
function claimOf(
  account: AccountSlots,
  { stateRoot, verified }: Provided,
  textOf: (reply: ProofReply, state: ProvenState) => string,
) {
  let certified: Certified | undefined
  return {
    ...account,
    textOf(value: unknown): string | null {
      const read = verifyProof(value, { stateRoot, ...account })
      if ('fault' in read) return null
      const reply = value as ProofReply
      certified ??= { text: JSON.stringify(read.verified), proof: recordOf(reply, account, verified) }
      return textOf(reply, read.verified)
    },
    certifiedOf: (raw: string): Certified =>
      typeof certified?.proof === 'object' ? certified : { text: raw, proof: certified?.proof },
  }
}

const noRequests: readonly UpstreamRequestRecord[] = []

const zeros = `0x${'0'.repeat(64)}`

/** The reply as it is proven: the values by the proof, and the nodes of it. */
function replyOf(
  { accountProof, storageProof }: ProofReply,
  { address, slots }: AccountSlots,
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
