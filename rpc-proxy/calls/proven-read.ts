import { blockRefsOf } from '../methods/block-ref.ts'
import type { VerifiedBlocks } from '../methods/proves.ts'
import { CallError } from '../runtime/errors.ts'
import { footingOf } from './footing.ts'
import { provenTogether } from './prove.ts'
import { type Found, type Provided, raiseUnproven } from './proven-find.ts'
import { provenState } from './proven-state.ts'
import type { CallResult, Scope, Services } from './services.ts'
import type { Keyed } from './share.ts'

/** A read at an agreed block that is verified. */
interface Provable {
  readonly target: Keyed
  /** By its number; null where nothing is asked. */
  readonly block: Provided | null
  /** No quorum is asked instead. */
  readonly isRequired: boolean
  /** The result; null where nothing can be proven now. */
  readonly prove: () => Promise<Found | null>
}

/** The same read where a proof could be its result; null where none could. Throws CallError `unproven` where one is required. */
export function provableIn(services: Services, target: Keyed, scope: Scope): Provable | null {
  const { proves } = target.rule
  const { proofs } = scope.chain.config
  if (proves === null || proofs === 'off') return null
  if (proves.kind === 'no-logs') {
    if (!proves.areNone(target.pinned.params, verifiedIn(scope))) return null
    const prove = async () => noLogs(services, target, scope)
    return { target, block: null, isRequired: false, prove }
  }
  const isRequired = proofs === 'required'
  const block = blockIn(target, scope)
  const [first, ...others] = proves.accountsOf(target.pinned.params)
  if (block === null || first === undefined) return isRequired ? raiseUnproven() : null
  const prove = () => provenState(services, { target, proves, block, accounts: [first, ...others] }, scope)
  return { target, block, isRequired, prove }
}

/** The result by the proof of one node; null where none proves it. Throws CallError `unproven` where a proof is required. */
export async function readProven(provable: Provable, scope: Scope): Promise<CallResult | null> {
  const { target, isRequired, prove } = provable
  try {
    const found = await prove()
    if (found !== null && !isGone(provable, scope))
      return {
        outcome: { raw: found.raw },
        evidence: found.evidence,
        block: target.pinned.block,
        cache: found.cache,
      }
  } catch (thrown) {
    const isUnproven = thrown instanceof CallError && thrown.kind === 'unproven'
    if (isRequired || !isUnproven) throw thrown
  }
  return isRequired ? raiseUnproven() : null
}

/** The empty list, on the word of those who stand behind the head: no node is asked. */
function noLogs(services: Services, { rule, pinned }: Keyed, scope: Scope): Found | null {
  const block = scope.chain.heads.current()?.block
  if (block === undefined) return null
  const footing = footingOf(scope, { block, pinned: pinned.block, method: null, orQuorum: true })
  if (footing === null) return null
  const { evidence } = provenTogether(
    scope.chain,
    footing,
    {
      method: rule.method,
      params: pinned.params,
      raw: '[]',
      certified: { text: '[]', proof: 'blooms' },
    },
    [],
    services,
  )
  return { raw: '[]', evidence, cache: 'hit' }
}

/** The agreed blocks from which the head is known to descend, and whose headers are verified. */
function verifiedIn({ chain: { heads, config } }: Scope): VerifiedBlocks {
  const at = (number: number) => {
    const block = heads.blockAt(number)
    return block !== null && heads.hashAt(number) === block.hash ? block.verified : null
  }
  return { chainId: config.id, at, of: (hash) => at(heads.blockOf(hash)?.number ?? -1) }
}

/** Meanwhile a reorg has put another block at the number of one that is not named by its hash. */
function isGone({ target: { rule, pinned }, block }: Provable, { chain }: Scope): boolean {
  const isNamed = blockRefsOf(rule, pinned.params).some((ref) => 'hash' in ref)
  return !isNamed && block !== null && chain.heads.lastHashAt(block.number) !== block.hash
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
  return block?.verified != null && heads.hashAt(block.number) === block.hash ? (block as Provided) : null
}
