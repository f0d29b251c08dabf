import { blockRefsOf } from '../methods/block-ref.ts'
import { CallError } from '../runtime/errors.ts'
import { type Provable, type Provided, provenState } from './proven-state.ts'
import type { CallResult, Scope, Services } from './services.ts'
import type { Keyed } from './share.ts'

/** The same read where a proof could be its result; null where none could. Throws CallError `unproven` where one is required. */
export function provableIn(target: Keyed, scope: Scope): Provable | null {
  const { rule, pinned } = target
  const { proves } = rule
  const { proofs } = scope.chain.config
  if (proves === null || proofs === 'off') return null
  const block = blockIn(target, scope)
  const [first, ...others] = proves.accountsOf(pinned.params)
  if (block === null || first === undefined) return unprovenIn(scope)
  return { target, proves, block, accounts: [first, ...others] }
}

/** The result by the proof of one node; null where none proves it. Throws CallError `unproven` where a proof is required. */
export async function readProven(
  services: Services,
  provable: Provable,
  scope: Scope,
): Promise<CallResult | null> {
  try {
    const found = await provenState(services, provable, scope)
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
