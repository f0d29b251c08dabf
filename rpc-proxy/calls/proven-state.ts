import type { ProofRecord, UpstreamRequestRecord } from '../events/events.ts'
import type { Proves } from '../methods/proves.ts'
import { headerItems } from '../proofs/header-hash.ts'
import { type AccountSlots, emptyCode, type ProvenState, verifyProof } from '../proofs/trie-proof.ts'
import { digestOf } from '../proofs/trie-walk.ts'
import { proveCode, provenTogether, proveState } from './prove.ts'
import { type Found, find, type Provided, raiseUnproven, scopeOf } from './proven-find.ts'
import type { Scope, Services } from './services.ts'
import type { Keyed } from './share.ts'

/** A read of accounts at an agreed block whose state root is known. */
interface Provable {
  readonly target: Keyed
  readonly proves: Proves
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
    const whole = { method: rule.method, params: pinned.params, raw: `[${parts.map(({ raw }) => raw)}]` }
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
      let proof: ProofRecord | undefined
      const textOf = (value: unknown) =>
        textIfVerified(value, { ...block, address, slots }, (state) => {
          proof ??= recordOf(value as Reply, { address, slots, header: block.verified.fields })
          return JSON.stringify(state)
        })
      const proving = { ...scopeOf(scope, everybody), footing }
      return proveState(chain, { address, slots, textOf, proofOf: () => proof }, proving, services)
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
    proveCode(scope.chain, { address, codeHash }, { ...scopeOf(scope, flight), footing, before }, services),
  )
}

/** The reply itself, which is long: nothing else is read from it. */
function replyProven(services: Services, provable: Provable, scope: Scope): Promise<Found | null> {
  const { target, block, accounts } = provable
  const [account] = accounts
  const textOf = (value: unknown) =>
    textIfVerified(value, { ...block, ...account }, (state) =>
      JSON.stringify(replyOf(value as Reply, account, state)),
    )
  return find(services, { target, block, key: target.key }, scope, (footing, flight) =>
    proveState(scope.chain, { ...account, textOf }, { ...scopeOf(scope, flight), footing }, services),
  )
}

function textIfVerified(
  value: unknown,
  { stateRoot, address, slots }: AccountSlots & Pick<Provided, 'stateRoot'>,
  textOf: (state: ProvenState) => string,
): string | null {
  const read = verifyProof(value, { stateRoot, address, slots })
  return 'verified' in read ? textOf(read.verified) : null
}

const noRequests: readonly UpstreamRequestRecord[] = []

interface Recorded extends AccountSlots {
  readonly header: Readonly<Record<string, string>>
}

/** The proof without the names of what it is of: certificates are for everybody. */
function recordOf({ accountProof, storageProof }: Reply, { address, slots, header }: Recorded): ProofRecord {
  return {
    header: headerItems(header),
    account: digestOf(address),
    nodes: lowerCase(accountProof),
    slots: slots.map((slot, index) => ({
      slot: digestOf(slot),
      nodes: lowerCase(storageProof[index]?.proof),
    })),
  }
}

/** Certificates have hex in lower case; nodes may send it in upper case. */
const lowerCase = (nodes: readonly string[] | null = null) => (nodes ?? []).map((node) => node.toLowerCase())

interface Reply {
  readonly accountProof: readonly string[] | null
  readonly storageProof: readonly { readonly proof: readonly string[] | null }[]
}

const zeros = `0x${'0'.repeat(64)}`

/** The reply as it is proven: the values by the proof, and the nodes of it. */
function replyOf(
  { accountProof, storageProof }: Reply,
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
