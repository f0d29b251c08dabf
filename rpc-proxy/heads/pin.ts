import type { PinnedBlock } from '../events/evidence-types.ts'
import { type BlockRef, blockRefsOf, rangeOf, withBlock } from '../methods/block-ref.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import { badParams } from '../methods/params.ts'
import { andThen, type Clock, type Soon } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import type { Head, Heads } from './heads.ts'

/** A call whose tags have become numbers. */
export interface Pinned {
  readonly params: readonly unknown[]
  /** The block whose state it reads, or where its range ends; null where it names none by number. */
  readonly block: PinnedBlock | null
  /** The same call at another block, for one that asked for a tag there; null where none but the named one will do. */
  readonly at: ((block: PinnedBlock) => Pinned) | null
  /** The tag that it asked for there, where that is no `latest`. */
  readonly finality?: Finality
}

type Finality = 'safe' | 'finalized'
type NumberedRef = Exclude<BlockRef, { hash: string }>

/** For whom a call is pinned. */
interface PinScope {
  /** The head of this request: one batch sees one head. */
  readonly head: () => Soon<Head>
  readonly endMs: number
  readonly chain: {
    readonly heads: Heads
    readonly finality: (tag: Finality, endMs: number) => Promise<Head>
    /** A number just above the head is waited for as long. */
    readonly stallMs: number
  }
}

const aheadMax = 2

/**
 * `latest`, `safe`, `finalized` and a missing tag become agreed numbers; numbers and hashes stay. A number above the head is
 * null for objects of the chain, -32602 for an end of a range of logs and -32001 for state.
 */
export function pin(
  spec: MethodSpec,
  params: readonly unknown[],
  scope: PinScope,
  clock: Clock,
): Soon<Pinned | null> {
  const { heads } = scope.chain
  // Refused before anything is waited for.
  if (spec.pin === 'range') rangeOf(spec, params, Number.POSITIVE_INFINITY)
  const [from, to] = blockRefsOf(spec, params)
  if (from === undefined || 'hash' in from) return { params, block: null, at: null }
  return andThen(numberOf(from, spec, scope, clock), (first) => {
    if (first === null) return null
    if (to === undefined || 'hash' in to) return pinnedTo({ spec, params, last: from, first }, first, heads)
    return andThen(numberOf(to, spec, scope, clock), (number) =>
      number === null ? null : pinnedTo({ spec, params, last: to, first }, number, heads),
    )
  })
}

/** A call that names its blocks by tag or number; `first` is where its range begins. */
interface Tagged {
  readonly spec: MethodSpec
  readonly params: readonly unknown[]
  readonly last: NumberedRef
  readonly first: number
}

function pinnedTo(call: Tagged, number: number, heads: Heads): Pinned {
  const { last, spec } = call
  const isMovable = 'tag' in last && last.tag !== 'earliest'
  return pinnedAt(
    call,
    { number, hash: heads.agreed.hashAt(number) },
    isMovable ? (block) => forwards(spec, pinnedAt(call, block, null)) : null,
  )
}

function pinnedAt({ spec, params, last, first }: Tagged, block: PinnedBlock, at: Pinned['at']): Pinned {
  const key = keyOf(last)
  const pinned = withBlock(spec, params, (ref) => (keyOf(ref) === key ? block.number : first))
  return isFinality(key) ? { params: pinned, block, at, finality: key } : { params: pinned, block, at }
}

/** A range that begins above every node's head is not found, rather than invalid. */
function forwards(spec: MethodSpec, pinned: Pinned): Pinned {
  const [from, to] = blockRefsOf(spec, pinned.params)
  if (from !== undefined && to !== undefined && 'number' in from && 'number' in to && from.number > to.number)
    throw new CallError('block-not-found')
  return pinned
}

/** No promise where the head is known. */
function numberOf(ref: NumberedRef, spec: MethodSpec, scope: PinScope, clock: Clock): Soon<number | null> {
  if ('tag' in ref) {
    if (ref.tag === 'earliest') return 0
    if (isFinality(ref.tag)) return scope.chain.finality(ref.tag, scope.endMs).then(heightOf)
    return andThen(scope.head(), heightOf)
  }
  const now = scope.head()
  return now instanceof Promise || ref.number > heightOf(now)
    ? numberBy(ref.number, spec, scope, { now, clock })
    : ref.number
}

/** A number that is there, or comes within the wait; null where an object of the chain is not there. */
async function numberBy(
  number: number,
  spec: MethodSpec,
  { chain: { heads, stallMs }, endMs }: PinScope,
  { now, clock }: { readonly now: Soon<Head>; readonly clock: Clock },
): Promise<number | null> {
  const height = heightOf(await now)
  if (number <= height) return number
  // Clients that wait for confirmations keep asking for the next block: wait for it only once a node has shown it.
  const isObject = spec.strategy === 'lookup'
  const isDue = isObject || spec.pin === 'range' ? heads.isVisible(number) : number <= height + aheadMax
  if (isDue && (await heads.reach(number, Math.min(stallMs, endMs - clock.now())))) return number
  if (isObject) return null
  throw beyondHead(spec, number, heads.current()?.block.number ?? height)
}

/** In the words of geth; for logs the code too (execution-apis #875). */
function beyondHead(spec: MethodSpec, requested: number, head: number): CallError {
  const detail = `requested ${requested}, head ${head}`
  if (spec.pin === 'range') return badParams(`block range extends beyond current head block: ${detail}`)
  if (spec.shape === 'fee-history')
    return new CallError('block-not-found', { message: `request beyond head block: ${detail}` })
  return new CallError('block-not-found')
}

const isFinality = (tag: string): tag is Finality => tag === 'safe' || tag === 'finalized'
const heightOf = ({ block }: Head): number => block.number

function keyOf(ref: BlockRef): string {
  return 'hash' in ref ? ref.hash : 'tag' in ref ? ref.tag : String(ref.number)
}
