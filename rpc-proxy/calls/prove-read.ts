import type { Chain } from '../chain/chain.ts'
import type { AgreedBlock } from '../heads/head-views.ts'
import { blockRefsOf } from '../methods/block-ref.ts'
import type { VerifiedBlocks } from '../methods/proves.ts'
import { anchorOf } from '../proving/proof-anchor.ts'
import { evidenceOfParts } from '../proving/proof-round.ts'
import { CallError } from '../runtime/errors.ts'
import { type ProvenResult, proveState, type VerifiedBlock } from './prove-state.ts'
import type { ReadScope, ReadServices } from './services.ts'
import type { ReadKey } from './stored-result.ts'

/**
 * The result of a read by the proof of one node, or by the headers of agreed blocks alone; null where nothing proves it. Throws CallError
 * `unproven` where a proof is required.
 */
export async function proveRead(
  services: ReadServices,
  target: ReadKey,
  scope: ReadScope,
): Promise<ProvenResult | null> {
  const { chain, policy } = scope
  const { pinned, spec } = target
  const { proves } = spec
  // All operators must agree, and a proof comes from one.
  if (proves === null || policy === 'bridge') return null
  if (proves.kind === 'no-logs')
    return proves.areNone(pinned.params, verifiedBlocksOf(chain))
      ? proveNoLogs(services, target, scope)
      : null
  const isRequired = chain.config.proofs === 'required'
  const block = blockOf(target, chain)
  const [first, ...others] = proves.accountsOf(pinned.params)
  try {
    if (block !== null && first !== undefined) {
      const result = await proveState(
        { target, scope, proves, block, accounts: [first, ...others] },
        services,
      )
      if (result !== null && !isReplaced(target, chain, block)) return result
    }
  } catch (thrown) {
    const isUnproven = thrown instanceof CallError && thrown.kind === 'unproven'
    if (isRequired || !isUnproven) throw thrown
  }
  if (isRequired) throw new CallError('unproven', { data: { reason: 'unproven' } })
  return null
}

/** The empty list, supported by the operators behind the head: no node is asked. */
function proveNoLogs(
  services: ReadServices,
  { spec, pinned }: ReadKey,
  scope: ReadScope,
): ProvenResult | null {
  const { chain } = scope
  const block = chain.heads.current()?.block
  const anchor = block && anchorOf(scope, { block, pinned: pinned.block, method: null, orQuorum: true })
  if (anchor == null) return null
  const whole = { method: spec.method, params: pinned.params, raw: '[]', proof: 'blooms' } as const
  return { ...evidenceOfParts(chain, anchor, whole, [], services), cache: 'hit' }
}

/** An agreed block, where the head is known to descend from it and its header is verified. */
function verified({ heads }: Chain, block: AgreedBlock | null): VerifiedBlock | null {
  return block?.verified != null && heads.agreed.hashAt(block.number) === block.hash
    ? (block as VerifiedBlock)
    : null
}

function verifiedBlocksOf(chain: Chain): VerifiedBlocks {
  return {
    chainId: chain.config.id,
    at: (number) => verified(chain, chain.heads.agreed.blockAt(number))?.verified ?? null,
    of: (hash) => verified(chain, chain.heads.agreed.blockOf(hash))?.verified ?? null,
  }
}

/** The block that the read names. */
function blockOf({ spec, pinned }: ReadKey, chain: Chain): VerifiedBlock | null {
  if (pinned.block !== null) return verified(chain, chain.heads.agreed.blockAt(pinned.block.number))
  const [ref] = blockRefsOf(spec, pinned.params)
  return ref !== undefined && 'hash' in ref ? verified(chain, chain.heads.agreed.blockOf(ref.hash)) : null
}

/** Whether a reorg has meanwhile replaced the block, where the call names it by its number. */
function isReplaced({ spec, pinned }: ReadKey, { heads }: Chain, { number, hash }: VerifiedBlock): boolean {
  const isNamed = blockRefsOf(spec, pinned.params).some((ref) => 'hash' in ref)
  return !isNamed && heads.agreed.lastHashAt(number) !== hash
}
