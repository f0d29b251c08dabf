import { blockRefsOf } from '../methods/block-ref.ts'
import { CallError } from '../runtime/errors.ts'
import { blocksFor, provenBody } from './proven-body.ts'
import { type Found, type Provided, raiseUnproven } from './proven-find.ts'
import { provenState } from './proven-state.ts'
import type { CallResult, Scope, Services } from './services.ts'
import type { Keyed } from './share.ts'

/** A read at agreed blocks that are verified. */
interface Provable {
  readonly target: Keyed
  readonly blocks: readonly Provided[]
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
  if (proves.kind === 'body') {
    const blocks = blocksFor(services, { target, proves }, scope)
    if (blocks === null) return null
    const prove = () => provenBody(services, { target, proves, blocks }, scope)
    return { target, blocks, isRequired: false, prove }
  }
  const isRequired = proofs === 'required'
  const block = blockIn(target, scope)
  const [first, ...others] = proves.accountsOf(target.pinned.params)
  if (block === null || first === undefined) return isRequired ? raiseUnproven() : null
  const prove = () => provenState(services, { target, proves, block, accounts: [first, ...others] }, scope)
  return { target, blocks: [block], isRequired, prove }
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

/** Meanwhile a reorg has put another block at the number of one that is not named by its hash. */
function isGone({ target: { rule, pinned }, blocks }: Provable, { chain }: Scope): boolean {
  const isNamed = blockRefsOf(rule, pinned.params).some((ref) => 'hash' in ref)
  return !isNamed && blocks.some(({ number, hash }) => chain.heads.lastHashAt(number) !== hash)
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
