import { queryOptions } from '@tanstack/react-query'
import {
  type Abi,
  type ContractFunctionParameters,
  erc20Abi,
  erc721Abi,
  type Hex,
  maxUint256,
  parseAbi,
  zeroAddress,
} from 'viem'
import { toHex } from '#lib/page/quantity.ts'
import {
  agreedValue,
  type ReadCall,
  type ReadCalls,
  type ReadChain,
  type ReadFailure,
  type Reading,
  weakestOf,
} from '#lib/page/reading.ts'
import { type Figure, readFigure } from '#lib/reads/figure.ts'
import { headQuery, type QuorumRead, QuorumReadError } from '#lib/reads/quorum-read.ts'
import { readLabel } from '../token/erc20.ts'
import { wordOf } from '../token/event-topics.ts'
import { aggregate } from './aggregate.ts'
import { readLogs } from './compare.ts'
import type { EventLog, TokenRead } from './effect.ts'
import { isSameAllowance, meaningOf } from './meaning.ts'
import { isContract } from './plan-readings.ts'
import { preferKnown } from './query-cache.ts'
import type { TokenLabel } from './reviewed.ts'
import { reviewedCalls, type TransactionRecord } from './stored-transactions.ts'
import {
  type ApprovalFigure,
  approvalOfLog,
  approvalTopics,
  figureIn,
  keyOfFigure,
  labelReads,
  ownerRead,
  permit2,
  readOfFigure,
} from './watched.ts'

/** Blocks whose logs are searched, where the nodes allow so many. */
export const blocksWanted = 40_000
/** Ranges of the length that the nodes allow. */
export const rangesMax = 4
/** Answers that name a shorter length. */
const shorterMax = 4
/** Anyone can write events in the name of an owner: the latest are taken. */
export const foundMax = 1000
/** The most reads in one multicall or one batch. */
export const readsMax = 500
/** How many times a failing multicall is split in half. */
const halvingsMax = 4
/** The latest time that a JavaScript `Date` can have. */
const dateMsMax = 8.64e15

const pollMs = 30_000
const searchedMs = 300_000

interface Owned {
  readonly chainId: number
  readonly owner: Hex
}

/** What the logs of the latest blocks name. */
export interface FoundApprovals {
  readonly figures: readonly ApprovalFigure[]
  /** Searched blocks. */
  readonly blocks: number
  /** The first of them; null without any. */
  readonly since: number | null
  /** Why there are no more; null where all that was wanted was searched. */
  readonly why: ReadFailure | 'waiting' | null
}

/** Searches the logs of as many blocks as the nodes allow. It never fails. */
export function foundQuery(readChain: ReadChain, { chainId, owner }: Owned) {
  const readCalls: ReadCalls = (calls) => readChain(chainId, calls)
  return queryOptions({
    queryKey: ['approval-logs', chainId, owner],
    async queryFn(): Promise<FoundApprovals> {
      try {
        const { value } = await headQuery(chainId, readChain).queryFn()
        return await searchLogs(owner, Number(value), readCalls)
      } catch (error) {
        const why = error instanceof QuorumReadError ? error.why : 'refused'
        return { figures: [], blocks: 0, since: null, why }
      }
    },
    staleTime: searchedMs,
  })
}

async function searchLogs(owner: Hex, head: number, readCalls: ReadCalls): Promise<FoundApprovals> {
  let size = Math.min(blocksWanted, head + 1)
  let [latest] = await readCalls([logsOf(owner, head, size)])
  for (let shorter = 0; shorter < shorterMax; shorter++) {
    const blocksMax = latest?.state === 'refused' ? latest.blocksMax : undefined
    if (blocksMax === undefined || blocksMax >= size || blocksMax < 1) break
    size = blocksMax
    ;[latest] = await readCalls([logsOf(owner, head, size)])
  }
  const ends = Array.from({ length: rangesMax }, (_, index) => head - index * size)
  const earlier = ends.slice(1).filter((end) => end >= 0 && head - end < blocksWanted)
  const rest =
    latest?.state === 'agreed' && earlier.length > 0
      ? await readCalls(earlier.map((end) => logsOf(owner, end, size)))
      : []
  return mergeLogs([latest, ...rest], { owner, head, size })
}

function logsOf(owner: Hex, end: number, blocks: number): ReadCall {
  const hex = (block: number) => toHex(Math.max(0, block))
  const topics = [approvalTopics, `0x${wordOf(owner)}`]
  return { method: 'eth_getLogs', params: [{ fromBlock: hex(end - blocks + 1), toBlock: hex(end), topics }] }
}

/** Each figure once, the latest first, with the blocks of which all are there. */
function mergeLogs(
  readings: readonly (Reading | undefined)[],
  { owner, head, size }: { readonly owner: Hex; readonly head: number; readonly size: number },
): FoundApprovals {
  const failed = readings.find((reading) => reading?.state !== 'agreed')
  const agreed = readings.slice(0, failed === undefined ? undefined : readings.indexOf(failed))
  const why = readings.length === agreed.length ? null : failed?.state === 'refused' ? failed.why : 'waiting'
  const figures = new Map<string, ApprovalFigure>()
  let since = Math.max(0, head - agreed.length * size + 1)
  for (const log of agreed.flatMap(logsIn).toSorted((one, other) => other.order - one.order)) {
    const figure = approvalOfLog(log, owner)
    if (figure === null || figures.has(keyOfFigure(figure))) continue
    if (figures.size === foundMax) {
      since = log.block + 1
      break
    }
    figures.set(keyOfFigure(figure), figure)
  }
  const blocks = head - since + 1
  return { figures: [...figures.values()], blocks, since: blocks > 0 ? since : null, why }
}

/** More than a block has. */
const logsOfBlock = 1_000_000

function logsIn(reading: Reading | undefined) {
  return readLogs({ logs: agreedValue(reading) }).map((log) => {
    const { blockNumber, logIndex } = log as EventLog & Readonly<Record<'blockNumber' | 'logIndex', unknown>>
    const block = Number(blockNumber)
    return { ...log, block, order: block * logsOfBlock + Number(logIndex) }
  })
}

/** Something that a spender may take now. */
export interface Approval {
  readonly figure: ApprovalFigure
  /** Null is unknown: the token did not answer. Of items it is 1. */
  readonly units: bigint | null
  /** When it expires, in epoch milliseconds; null if never, or later than a `Date` can have. */
  readonly endMs: number | null
  /** What the token calls itself, where the site does not list it. */
  readonly label: TokenLabel | null
}

interface ApprovalOptions extends Owned {
  /** Tokens and spenders that the site knows: each pair is read. */
  readonly tokens: readonly Hex[]
  readonly spenders: readonly Hex[]
  /** Of those, spenders that may have allowances in the books of Permit2 too. */
  readonly permitted: readonly Hex[]
  /** More, from logs and from what the visitor has sent. */
  readonly found: readonly ApprovalFigure[]
}

/** Reads approvals through Multicall3. Never throws: a figure has its error as a value. */
export function approvalsQuery(readChain: ReadChain, options: ApprovalOptions) {
  const { chainId, owner, tokens, spenders, permitted, found } = options
  const pairs = tokens.flatMap((token) => [
    ...spenders.map((spender) => ({ kind: 'allowance', token, spender }) as const),
    ...permitted.map((spender) => ({ kind: 'permit2', token, spender }) as const),
  ])
  const byKey = new Map([...pairs, ...found].map((one) => [keyOfFigure(one), one]))
  return queryOptions({
    // Sorted: the same approvals in another order are the same query. Another query would begin without rows.
    queryKey: ['token', 'approvals', chainId, owner, [...byKey.keys()].toSorted()],
    queryFn: (): Promise<Figure<readonly Approval[]>> =>
      readFigure(async () => {
        const figures = [...byKey.values()]
        const listed = new Set(tokens.map((token) => token.toLowerCase()))
        const reads = readsOf(figures, owner, listed)
        const isKnown = ({ to }: TokenRead) => to === permit2 || listed.has(to.toLowerCase())
        const { value, ...read } = await readAll(
          (part) => readPart(readChain, chainId, part),
          reads.filter(isKnown),
          reads.filter((one) => !isKnown(one)),
        )
        return { ...read, value: approvalsIn(figures, owner, value) }
      }),
    structuralSharing: preferKnown,
    refetchInterval: pollMs,
  })
}

/** The answer to each read, by `keyOfRead`; null where it failed. */
type Answers = readonly (readonly [string, Hex | null])[]
type ReadPart = (reads: readonly TokenRead[]) => Promise<QuorumRead<Answers>>

const keyOfRead = ({ to, data }: TokenRead) => `${to}${data}`.toLowerCase()

function readsOf(
  figures: readonly ApprovalFigure[],
  owner: Hex,
  listed: ReadonlySet<string>,
): readonly TokenRead[] {
  const all = figures.flatMap((figure) => [
    readOfFigure(figure, owner),
    ...(figure.kind === 'item' ? [ownerRead(figure)] : []),
    ...(listed.has(figure.token.toLowerCase()) ? [] : labelReads(figure)),
  ])
  return [...new Map(all.map((read) => [keyOfRead(read), read])).values()]
}

async function readPart(readChain: ReadChain, chainId: number, reads: readonly TokenRead[]) {
  const { value, ...read } = await aggregate(readChain, chainId, reads)
  const answers = reads.map((one, index) => {
    const result = value[index]
    return [keyOfRead(one), result?.success ? result.returnData : null] as const
  })
  return { ...read, value: answers }
}

/** Anyone can deploy an unknown contract that makes a multicall fail. The results of such contracts are missing. */
async function readAll(read: ReadPart, known: readonly TokenRead[], others: readonly TokenRead[]) {
  const answered = await Promise.all(partsOf(known).map(read))
  const found = await Promise.all(partsOf(others).map((part) => readHalves(read, part)))
  const all = [...answered, ...found.flat()]
  if (all.length === 0 && others.length > 0) throw new QuorumReadError('refused', null)
  return {
    value: new Map(all.flatMap(({ value }) => value)),
    block: all[0]?.block ?? null,
    evidence: weakestOf(all.map(({ evidence }) => evidence)),
    certificateId: all[0]?.certificateId ?? null,
  }
}

function partsOf<Read>(reads: readonly Read[]): readonly (readonly Read[])[] {
  const starts = Array.from({ length: Math.ceil(reads.length / readsMax) }, (_, index) => index * readsMax)
  return starts.map((start) => reads.slice(start, start + readsMax))
}

/** The results of the reads that succeed. A contract that uses all gas fails the whole part, so a failing part is split in half. */
async function readHalves(
  read: ReadPart,
  part: readonly TokenRead[],
  halvings = halvingsMax,
): Promise<readonly QuorumRead<Answers>[]> {
  try {
    return [await read(part)]
  } catch {
    if (halvings === 0 || part.length === 1) return []
    const middle = Math.ceil(part.length / 2)
    const halves = [part.slice(0, middle), part.slice(middle)]
    return (await Promise.all(halves.map((half) => readHalves(read, half, halvings - 1)))).flat()
  }
}

/** What may be taken. Of a token that does not answer there is one row, whatever was asked. */
function approvalsIn(
  figures: readonly ApprovalFigure[],
  owner: Hex,
  answers: ReadonlyMap<string, Hex | null>,
): readonly Approval[] {
  const answerTo = (read: TokenRead) => answers.get(keyOfRead(read)) ?? null
  const silent = new Set<string>()
  return figures.flatMap((figure): readonly Approval[] => {
    const answer = answerTo(readOfFigure(figure, owner))
    const units = figureIn(figure, answer)
    if (units === 0n) return []
    const [decimals, symbol] = labelReads(figure).map(answerTo)
    const approval = { figure, units, endMs: null, label: readLabel(decimals, symbol) }
    if (figure.kind === 'item') {
      // An item that is gone reverts, and one that was sold is the concern of who has it now.
      const isOwned = answerTo(ownerRead(figure))?.toLowerCase() === `0x${wordOf(owner)}`
      return units !== null && isOwned ? [approval] : []
    }
    if (units === null) {
      // There is no Permit2 on this chain.
      if (figure.kind === 'permit2') return []
      const key = figure.token.toLowerCase()
      if (silent.has(key)) return []
      silent.add(key)
      return [approval]
    }
    if (figure.kind !== 'permit2') return [approval]
    const endMs = Number(`0x${answer?.slice(66, 130)}`) * 1000
    return endMs > Date.now() ? [{ ...approval, endMs: endMs > dateMsMax ? null : endMs }] : []
  })
}

/** Whether it is as good as all there will ever be. */
export function isUnlimited({ figure: { kind }, units }: Approval): boolean {
  return kind === 'collection' || (kind !== 'item' && units !== null && isSameAllowance(units, maxUint256))
}

const permit2Abi = parseAbi([
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])

type Revocation = ContractFunctionParameters<Abi, 'nonpayable'>

/** The call after which the spender may take nothing of it. */
export function revocationOf(figure: ApprovalFigure): Revocation {
  const { kind, token, spender } = figure
  switch (kind) {
    case 'allowance':
      return { address: token, abi: erc20Abi, functionName: 'approve', args: [spender, 0n] }
    case 'permit2':
      return { address: permit2, abi: permit2Abi, functionName: 'approve', args: [token, spender, 0n, 0] }
    case 'collection':
      return { address: token, abi: erc721Abi, functionName: 'setApprovalForAll', args: [spender, false] }
    case 'item':
      return { address: token, abi: erc721Abi, functionName: 'approve', args: [zeroAddress, figure.id] }
  }
}

/** What the chain shows of a spender. `isNew`: it had no code before the searched blocks; null without any, or a quorum that has them. */
export type Spender =
  | { readonly kind: 'account' | 'unknown' }
  | { readonly kind: 'contract'; readonly isNew: boolean | null }

/** Reads the code of spenders now and at the block `since`, if there is one, by address in lower case. */
export function spendersQuery(
  readChain: ReadChain,
  { chainId, spenders, since }: Pick<ApprovalOptions, 'chainId' | 'spenders'> & Pick<FoundApprovals, 'since'>,
) {
  return queryOptions({
    queryKey: ['spenders', chainId, since, spenders],
    async queryFn(): Promise<Readonly<Record<string, Spender>>> {
      const codeAt = (block: string) =>
        spenders.map((spender) => ({ method: 'eth_getCode', params: [spender, block] }))
      const before = since === null ? [] : codeAt(toHex(since))
      const calls = [...codeAt('latest'), ...before]
      const readings = (await Promise.all(partsOf(calls).map((part) => readChain(chainId, part)))).flat()
      return Object.fromEntries(
        spenders.map((spender, index) => [
          spender.toLowerCase(),
          spenderOf(readings[index], readings[index + spenders.length]),
        ]),
      )
    },
    staleTime: searchedMs,
  })
}

function spenderOf(now: Reading | undefined, before: Reading | undefined): Spender {
  if (now?.state !== 'agreed') return { kind: 'unknown' }
  if (!isContract(now)) return { kind: 'account' }
  return { kind: 'contract', isNew: before?.state === 'agreed' ? !isContract(before) : null }
}

/** What the visitor has approved in this browser. */
export function approvedIn(
  records: readonly TransactionRecord[],
  { chainId, owner }: Owned,
): readonly ApprovalFigure[] {
  return records
    .filter((record) => record.chainId === chainId && record.from.toLowerCase() === owner.toLowerCase())
    .flatMap(reviewedCalls)
    .flatMap(({ value, ...call }) => {
      const meaning = meaningOf({ ...call, value: BigInt(value) })
      return meaning.kind === 'approve'
        ? [{ kind: 'allowance', token: meaning.token, spender: meaning.party } as const]
        : []
    })
}
