import type { FlightScope } from '../cache/single-flight.ts'
import type { CacheResult, Evidence, UpstreamRequestRecord } from '../events/events.ts'
import { joinedEvidence } from '../evidence/joined.ts'
import type { AgreedBlock } from '../heads/head-views.ts'
import type { Proves } from '../methods/proves.ts'
import { type AccountSlots, emptyCode, type ProvenState, verifyProof } from '../proofs/trie-proof.ts'
import { CallError } from '../runtime/errors.ts'
import { footingOf } from './footing.ts'
import { agreementOn, type Footing, proveCode, proveState } from './prove.ts'
import type { ReadAgreement } from './read.ts'
import type { Scope, Services } from './services.ts'
import { type Keyed, look, share } from './share.ts'

/** A read of accounts at an agreed block whose state root is known. */
export interface Provable {
  readonly target: Keyed
  readonly proves: Proves
  readonly block: Provided
  readonly accounts: readonly [AccountSlots, ...AccountSlots[]]
}

export type Provided = AgreedBlock & { readonly stateRoot: string }

/** A result that is proven, and by what. */
export interface Found {
  readonly raw: string
  readonly evidence: Evidence
  readonly cache: CacheResult
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
  return find(services, { target, block, key: target.key }, scope, async (_, { signal }) => {
    const shared = { ...scope, signal: () => signal }
    const parts = await Promise.all(accounts.map((each) => stateOf(services, provable, each, shared)))
    return joined(services, target, parts)
  })
}

/** Several states are one result, for which the operators stand that stand for each. */
function joined(
  { nextId, emit }: Services,
  { rule: { method }, pinned: { params } }: Keyed,
  parts: readonly (Found | null)[],
): ReadAgreement {
  const found = parts.map((part) => part ?? raiseUnproven())
  const raw = `[${found.map((part) => part.raw)}]`
  const evidence = joinedEvidence(
    { id: nextId(), method, params: JSON.stringify(params), text: raw },
    found.map((part) => part.evidence),
  )
  emit({ type: 'verdict', evidence })
  return agreementOn(raw, evidence)
}

function raiseUnproven(): never {
  throw new CallError('unproven', { data: { reason: 'unproven' } })
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
      const textOf = (value: unknown) => textIfVerified(value, { ...block, address, slots }, JSON.stringify)
      const proving = { ...scopeOf(scope, everybody), footing }
      return proveState(chain, { address, slots, textOf }, proving, services)
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

const scopeOf = ({ policy, endMs, trace }: Scope, flight: FlightScope) => ({
  policy,
  endMs,
  trace,
  ...flight,
})

/** What is known under a key, else what is proven now; null where nothing can be. */
async function find(
  services: Services,
  { target, block, key }: Pick<Provable, 'target' | 'block'> & Pick<Keyed, 'key'>,
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
