import { countOf } from '../methods/agreed-blocks.ts'
import { isOneBlock, type LogFilter } from '../methods/log-filter.ts'
import type { ProvesBody, VerifiedBlocks } from '../methods/proves-body.ts'
import { transactionsMax, verifyReceipts, verifyTransactions } from '../proofs/block-body.ts'
import type { Body } from '../proofs/derived.ts'
import { emptyRoot } from '../proofs/trie-walk.ts'
import type { Verified } from '../proofs/verified.ts'
import { footingOf } from './footing.ts'
import { type Certified, type Contents, placed, whole } from './proof-record.ts'
import { type BodyPart, bodySpecs, methodOf, proveBody, provenTogether } from './prove.ts'
import { type Found, find, type Provided, scopeOf } from './proven-find.ts'
import type { Scope, Services } from './services.ts'
import { type Keyed, look } from './share.ts'

/** A read of what is in agreed blocks. */
interface ProvableBody {
  readonly target: Keyed
  readonly proves: ProvesBody
  readonly blocks: readonly Provided[]
}

/** The blocks that the read takes; null where they are not known well enough, or cost too much. */
export function blocksFor(
  services: Services,
  { target, proves }: Pick<ProvableBody, 'target' | 'proves'>,
  scope: Scope,
): readonly Provided[] | null {
  const blocks = proves.blocksOf(target.pinned.params, verifiedIn(scope)) as readonly Provided[] | null
  return blocks?.every((block) => isWorthIt(services, block, scope)) === true ? blocks : null
}

/** The blocks from which the head is known to descend, and whose headers are verified. */
function verifiedIn({ chain: { heads, config } }: Scope): VerifiedBlocks {
  const at = (number: number) => {
    const block = heads.blockAt(number)
    return block?.verified != null && heads.hashAt(number) === block.hash ? (block as Provided) : null
  }
  return {
    chainId: config.id,
    at,
    of: (hash) => at(heads.blockOf(hash)?.number ?? -1),
    all: () => {
      const top = heads.current()?.block.number ?? -1
      return Array.from({ length: 256 }, (_, below) => at(top - below)).filter((block) => block !== null)
    },
  }
}

function isWorthIt(services: Services, { hash, verified, transactions }: Provided, scope: Scope): boolean {
  if (verified.transactionsRoot === emptyRoot) return true
  if (transactions !== null && countOf(transactions) <= transactionsMax) return true
  return look(services, keyOf('transactions', hash), scope) !== null
}

const keyOf = (part: BodyPart, hash: string) => `${part}|${hash}`

/** The result of the read; null where nothing can be proven now, or not all of it. */
export async function provenBody(
  services: Services,
  { target, proves, blocks }: ProvableBody,
  scope: Scope,
): Promise<Found | null> {
  const { chain } = scope
  const { rule, pinned } = target
  const read = await Promise.all(blocks.map((block) => bodyOf(services, { block, ...proves }, scope)))
  const bodies = read.filter((body) => body !== null)
  if (bodies.length < read.length) return null
  const result = proves.resultOf(
    pinned.params,
    bodies.map(({ body }) => body),
  )
  const block = blocks[0] ?? chain.heads.current()?.block
  if (result === undefined || block === undefined) return null
  const { number, hash } = block
  // What is in one block is of that block, whatever the call names.
  const at = blocks.length === 1 ? { number, hash } : pinned.block
  const footing = footingOf(scope, { block, pinned: at, method: methodOf('transactions'), orQuorum: true })
  if (footing === null) return null
  const parts = bodies.flatMap(({ parts }) => parts)
  const raw = JSON.stringify(result)
  const certified = certifiedOf({ result, raw, isRange: isRange(pinned.params) }, bodies)
  const answered = { method: rule.method, params: pinned.params, raw, certified }
  const { evidence } = provenTogether(chain, footing, answered, parts, services)
  return { raw, evidence, cache: parts.every(({ cache }) => cache !== 'miss') ? 'hit' : 'miss' }
}

/** Of a transaction or a receipt, its place; of a list, or of nothing, the whole block. */
function certifiedOf(
  { result, raw, isRange }: { result: unknown; raw: string; isRange: boolean },
  [read]: readonly ReadBody[],
): Certified {
  if (read === undefined || isRange)
    return { text: raw, proof: read === undefined ? 'blooms' : 'several-blocks' }
  const { transactionIndex } = (result ?? {}) as { readonly transactionIndex?: string }
  const contents = { block: read.body.header, lists: read.lists }
  const certified =
    transactionIndex === undefined ? whole(contents) : placed(contents, Number(transactionIndex))
  return certified ?? { text: raw, proof: 'too-long' }
}

/** What blooms say of the others is needed too. */
const isRange = ([filter]: readonly unknown[]) =>
  typeof filter === 'object' && !isOneBlock(filter as LogFilter)

interface BodyOf extends Pick<ProvesBody, 'withReceipts'> {
  readonly block: Provided
}

/** A block and what proved it. */
interface ReadBody {
  readonly body: Body
  readonly parts: readonly Found[]
  /** What is under its roots. */
  readonly lists: Contents['lists']
}

/** Null where something of it is not proven. */
async function bodyOf(
  services: Services,
  { block, withReceipts }: BodyOf,
  scope: Scope,
): Promise<ReadBody | null> {
  const header = block.verified
  // Of an empty block nothing is asked.
  if (header.transactionsRoot === emptyRoot)
    return {
      body: { header, transactions: [], receipts: [] },
      parts: [],
      lists: withReceipts ? [nothing, nothing] : [nothing],
    }
  const names: readonly BodyPart[] = withReceipts ? ['transactions', 'receipts'] : ['transactions']
  const parts = await Promise.all(names.map((part) => partOf(services, { block, part }, scope)))
  const [transactions, receipts] = parts
  if (transactions == null || receipts === null || parts.some((part) => part?.raw === unprovable)) return null
  const lists = [listIn(transactions), receipts && listIn(receipts)] as unknown as Contents['lists']
  const [sent, made] = lists
  const body = { header, transactions: sent.entries, receipts: made?.entries ?? [] }
  return { body, parts: receipts === undefined ? [transactions] : [transactions, receipts], lists }
}

const nothing = { entries: [], branches: [] } as const

const listIn = ({ raw }: Found): unknown => JSON.parse(raw)

/** Kept in the place of what does not follow from the roots, so that it is not asked for again. */
const unprovable = 'false'
/** The same of a reply that is twice as long as those of blocks that are read whole: its root would take too long. */
const longer = { chars: 1 << 19, text: unprovable }

interface Part {
  readonly block: Provided
  readonly part: BodyPart
}

function partOf(services: Services, { block, part }: Part, scope: Scope): Promise<Found | null> {
  const { hash, number, verified } = block
  const textOf = (value: unknown) =>
    textIfVerified(
      part === 'transactions'
        ? verifyTransactions(value, verified.transactionsRoot)
        : verifyReceipts(value, verified.receiptsRoot),
    )
  const target: Keyed = {
    rule: bodySpecs[part],
    pinned: { params: [hash, true], block: { number, hash }, at: null },
    // It is what the hash says, whatever becomes the head.
    anchor: null,
    key: keyOf(part, hash),
    difference: '',
  }
  return find(services, { target, block, key: target.key, part }, scope, (footing, flight) =>
    proveBody(scope.chain, { part, textOf, longer }, { ...scopeOf(scope, flight), footing }, services),
  )
}

function textIfVerified(read: Verified<unknown>): string | null {
  if ('verified' in read) return JSON.stringify(read.verified)
  return read.fault === 'unprovable' ? unprovable : null
}
