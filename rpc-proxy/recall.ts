import type { Chain } from './chain.ts'
import type { PinnedBlock } from './events.ts'
import { type Pinned, pin } from './heads/pin.ts'
import { blockRefsOf, rangeOf } from './methods/block-ref.ts'
import type { Rule } from './methods/rule.ts'
import { outcomeOf } from './outcome.ts'
import { countOf, isQuorum, weightOf, withMajority } from './quorum/electorate.ts'
import { joinedRule } from './quorum/joined.ts'
import { noVoteToSpare } from './quorum/verdict.ts'
import { type Agreement, read } from './read.ts'
import type { Answer, Rooms, Scope } from './rooms.ts'

/** A read on its way: pinned, and the key under which its answer is known. */
interface Sought {
  readonly rule: Rule
  readonly pinned: Pinned
  /** The block that its answer hangs on; null where the params name one by hash. */
  readonly anchor: PinnedBlock | null
  readonly key: string
}

/** One read: pinned, then what is known of it, what is being asked already, and else what a quorum says. */
export async function recall(
  rooms: Rooms,
  rule: Rule,
  params: readonly unknown[],
  gasGiven: boolean,
  scope: Scope,
): Promise<Answer> {
  const { chain } = scope
  const { electorate } = chain
  const sought = await seek(rooms, rule, params, scope)
  if (sought === null) return nothingThere(scope)
  const { pinned, key } = sought
  const known = rooms.cache.get(
    key,
    ({ agreed, operators, head }) =>
      agreed >= electorate.needed &&
      operators >= electorate.operatorsMin &&
      (head === null || head === chain.heads.current()?.block.hash),
  )
  if (known !== null)
    return { outcome: { raw: known.raw }, evidence: known.proof, block: pinned.block, cache: 'hit' }
  // What a tag stood for may be read one block lower; whoever named the number must not be given that.
  const question = `${pinned.at === null ? key : `${key}|${JSON.stringify(params)}`}|${gasGiven}`
  const { joined, value } = rooms.sharing(chain).share(question, scope, async (shared) => {
    const agreement = await read(
      chain,
      { rule, pinned, electorate, gasGiven, endMs: scope.endMs, signal: shared },
      rooms,
    )
    keep(rooms, chain, sought, agreement)
    return agreement
  })
  const { said, evidence, namedNumber } = await value
  await riseTo(chain, namedNumber, scope.endMs - rooms.clock.now())
  return {
    outcome: outcomeOf(said, rule.method, pinned.params),
    evidence,
    block: evidence.block,
    cache: joined ? 'shared' : 'miss',
  }
}

async function seek(
  { clock }: Rooms,
  rule: Rule,
  params: readonly unknown[],
  { chain, head, endMs }: Scope,
): Promise<Sought | null> {
  const waitMs = () => Math.min(chain.stallMs, endMs - clock.now())
  const finality = (tag: 'safe' | 'finalized') => chain.finality(tag, endMs)
  const pinned = await pin(rule, params, chain.heads, { head, finality, waitMs })
  if (pinned === null) return null
  // What names no block but changes with the head hangs on the head.
  const agreed = rule.keep === 'block' && rule.pin === 'none' ? await head() : null
  const anchor = agreed?.block ?? pinned.block
  if (rule.pin === 'range') rangeOf(rule, pinned.params, chain.config.logsRangeMax)
  return {
    rule,
    pinned,
    anchor,
    key: `${chain.key}|${rule.method}|${JSON.stringify(pinned.params)}|${anchor?.hash ?? ''}`,
  }
}

/** No block above the agreed head is agreed on: that head is what the answer rests on. */
async function nothingThere({ chain, head }: Scope): Promise<Answer> {
  const agreed = await head()
  return { outcome: { raw: 'null' }, evidence: chain.headEvidence(agreed), block: agreed.block, cache: null }
}

/**
 * Keeps an answer: for good where nothing can change it any more, by a block's hash or in a block that is final; else until
 * there is another head, for nodes that were on another branch for a moment leave no trace in an answer about state.
 */
function keep(
  { cache }: Rooms,
  chain: Chain,
  { rule, pinned, anchor, key }: Sought,
  { said, evidence, operators, isOffChain, namedNumber }: Agreement,
): void {
  if (rule.keep === 'never' || isOffChain || !('raw' in said) || said.raw === 'null') return
  // Whoever stalled may have the logs that these nodes lack, or a field on which they differ.
  if (evidence.rule === noVoteToSpare.name || evidence.rule === joinedRule) return
  if (isEmptyList(said.raw) && !isKnownByHash(chain, rule, pinned.params)) return
  // The nodes were behind or the chain has moved, and it was read at another block than the key says.
  if (evidence.block?.number !== pinned.block?.number || evidence.block?.hash !== pinned.block?.hash) return
  const { electorate, heads } = chain
  const number =
    rule.keep === 'inclusion' ? (namedNumber ?? Number.POSITIVE_INFINITY) : (anchor?.number ?? null)
  const isForGood =
    isQuorum(withMajority(electorate), operators) &&
    (number === null ? !asksForCanonical(pinned.params) : isFinal(chain, number))
  const hasHead = rule.keep !== 'inclusion' && anchor?.hash != null
  const head = isForGood ? null : hasHead ? heads.current()?.block.hash : undefined
  if (head === undefined) return
  cache.set(key, {
    raw: said.raw,
    agreed: weightOf(electorate, operators),
    operators: countOf(operators),
    head,
    proof: evidence,
  })
}

/**
 * Nodes that lack a block answer its hash with an empty list, as if it had no logs. Only the agreed header, whose bloom an
 * empty list was held against, tells the two apart.
 */
function isKnownByHash({ heads }: Chain, rule: Rule, params: readonly unknown[]): boolean {
  return blockRefsOf(rule, params).every(
    (ref) => !('hash' in ref) || heads.blockOf(ref.hash)?.logsBloom != null,
  )
}

function isEmptyList(raw: string): boolean {
  return /^\s*\[\s*\]\s*$/.test(raw)
}

/** A block that is named by its hash stays what it is; that it is canonical may end. */
function asksForCanonical(params: readonly unknown[]): boolean {
  return params.some((param) => (param as { requireCanonical?: unknown } | null)?.requireCanonical === true)
}

/** No reorg reaches it. */
function isFinal({ heads }: Chain, number: number): boolean {
  return number <= (heads.current('finalized')?.block.number ?? -1)
}

/** Read your writes: whoever has seen a receipt or block finds the head there. */
async function riseTo(chain: Chain, number: number | null, leftMs: number): Promise<void> {
  if (number !== null && number > (chain.heads.current()?.block.number ?? -1))
    await chain.heads.reach(number, Math.min(chain.stallMs, leftMs))
}
