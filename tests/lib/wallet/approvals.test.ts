import {
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint160,
  maxUint256,
  numberToHex,
  zeroAddress,
} from 'viem'
import { describe, expect, test, vi } from 'vitest'
import type { ReadCall, ReadChain, Reading } from '#lib/page/reading.ts'
import {
  approvalsQuery,
  approvedIn,
  blocksWanted,
  foundMax,
  foundQuery,
  isUnlimited,
  rangesMax,
  readsMax,
  revocationOf,
  spendersQuery,
} from '#lib/wallet/approvals.ts'
import { createQueries } from '#lib/wallet/query-cache.ts'
import { type ApprovalFigure, approvalOfLog, permit2, readOfFigure } from '#lib/wallet/watched.ts'
import { agreed, refused } from '../../support/readings.ts'
import { third as other, own as owner, other as spender, token } from './accounts.ts'
import { labelReplies, tokenEvent, word, words } from './event-words.ts'
import { aggregated, readsIn } from './multicall.ts'
import { recordOf } from './record.ts'

const chainId = 137
const figureOf = <const Kind extends string>(kind: Kind, of: Hex = token) => ({ kind, token: of, spender })
const allowance = figureOf('allowance')
const permitted = figureOf('permit2')
const collection = figureOf('collection')
const item = { ...figureOf('item'), id: 42n }

/** The log of an approval in this block; with an id, of that item. */
const approvalLog = (
  by: Hex,
  blockNumber: number,
  { index = 0, id }: { index?: number; id?: bigint } = {},
) => ({
  ...tokenEvent('approval', id === undefined ? [owner, by] : [owner, by, id]),
  blockNumber: numberToHex(blockNumber),
  logIndex: numberToHex(index),
})

describe('what an event says that somebody may take', () => {
  const inBooks = [owner, token, spender]
  const ofPermit2 = (...event: Parameters<typeof tokenEvent>) => ({
    ...tokenEvent(...event),
    address: permit2,
  })

  test.each([
    ['an allowance', tokenEvent('approval', [owner, spender]), allowance],
    ['an item, which is a fourth topic', tokenEvent('approval', [owner, spender, 42n]), item],
    ['nothing in the revocation of an item', tokenEvent('approval', [owner, zeroAddress, 42n]), null],
    ['all items of a collection', tokenEvent('forAll', [owner, spender]), collection],
    ['an allowance of Permit2', ofPermit2('permit2Approval', inBooks), permitted],
    ['the same by signature', ofPermit2('permit2Permit', inBooks), permitted],
    ['nothing of Permit2 where another contract says so', tokenEvent('permit2Approval', inBooks), null],
    ['nothing of another owner', tokenEvent('approval', [spender, owner]), null],
    ['nothing in a transfer', tokenEvent('transfer', [owner, spender]), null],
    ['nothing without a spender', tokenEvent('approval', [owner]), null],
    ['nothing with a malformed one', tokenEvent('forAll', [owner, maxUint256]), null],
    ['nothing without topics', { address: token, topics: [], data: '0x' }, null],
  ])('%s', (_, log, figure) => {
    expect(approvalOfLog(log, owner)).toEqual(figure)
  })
})

type Range = Readonly<Record<'from' | 'to', number>>

/** Searches a chain of which the nodes answer each range so. */
async function search(head: number, reply: (range: Range) => Reading) {
  const ranges: Range[] = []
  const answer = ({ method, params }: ReadCall) => {
    if (method === 'eth_blockNumber') return agreed(word(BigInt(head)))
    const [{ fromBlock, toBlock, topics: asked }] = params as [Record<string, string | string[]>]
    expect(asked?.[1]).toBe(word(owner))
    const range = { from: Number(fromBlock), to: Number(toBlock) }
    ranges.push(range)
    return reply(range)
  }
  const query = foundQuery(async (_, calls) => calls.map(answer), { chainId, owner })
  return { found: await createQueries().fetchQuery(query), ranges }
}

/** The answer of nodes that allow no more blocks than this. */
const shorter = (blocksMax: number): Reading => ({
  state: 'refused',
  why: 'refused',
  answer: null,
  blocksMax,
})
const upTo =
  (blocksMax: number) =>
  ({ from, to }: Range) =>
    to - from >= blocksMax ? shorter(blocksMax) : agreed([])

describe('the search of the logs', () => {
  test.each([
    ['all at once where they allow it', 1_000_000, 100_000, 1, blocksWanted],
    ['in ranges of the length that they name', 1_000_000, 10_000, 5, blocksWanted],
    ['fewer where they allow short ranges only', 1_000_000, 500, 1 + rangesMax, rangesMax * 500],
    ['no further than the first block', 999, 300, 5, 1000],
    ['a chain that has one block', 0, 10_000, 1, 1],
  ])('takes %s', async (_, head, blocksMax, requests, blocks) => {
    const { found, ranges } = await search(head, upTo(blocksMax))
    expect(ranges).toHaveLength(requests)
    expect(found).toEqual({ figures: [], blocks, since: head - blocks + 1, why: null })
    const searched = ranges.filter(({ from, to }) => to - from < blocksMax)
    expect(searched.reduce((sum, { from, to }) => sum + to - from + 1, 0)).toBe(blocks)
  })

  test('ends where a range is refused for another reason, and tells how far it came', async () => {
    const { found } = await search(1_000_000, (range) =>
      range.to < 985_000 ? refused('silent') : upTo(10_000)(range),
    )
    expect(found).toMatchObject({ blocks: 20_000, since: 980_001, why: 'silent' })
    const nothing = await search(1_000_000, () => refused('silent'))
    expect(nothing.found).toEqual({ figures: [], blocks: 0, since: null, why: 'silent' })
    expect(nothing.ranges).toHaveLength(1)
  })

  test('covers no block where there is no agreed one', async () => {
    const query = foundQuery(async () => [refused('silent')], { chainId, owner })
    const found = await createQueries().fetchQuery(query)
    expect(found).toEqual({ figures: [], blocks: 0, since: null, why: 'silent' })
  })

  test('ends where the nodes name ever shorter lengths, or none that is shorter', async () => {
    let blocks = 30_000
    const { found, ranges } = await search(1_000_000, () => shorter(--blocks))
    expect(found.blocks).toBe(0)
    expect(ranges).toHaveLength(5)
    expect((await search(1_000_000, () => shorter(50_000))).ranges).toHaveLength(1)
  })

  test('has each approval once, the latest first', async () => {
    const logs = [
      approvalLog(spender, 5),
      approvalLog(token, 7, { index: 1 }),
      approvalLog(permit2, 7, { index: 2 }),
      approvalLog(spender, 9),
    ]
    const { found } = await search(100, () => agreed(logs))
    expect(found.figures.map((figure) => figure.spender)).toEqual([spender, permit2, token])
  })

  test(`keeps the latest ${foundMax} where somebody writes more, and does not claim the blocks before`, async () => {
    const searchFor = (count: number) =>
      search(5000, () =>
        agreed(Array.from({ length: count }, (_, at) => approvalLog(spender, 1 + at, { id: BigInt(at) }))),
      )
    expect((await searchFor(foundMax)).found).toMatchObject({ blocks: 5001, since: 0 })
    const cut = await searchFor(foundMax + 3)
    expect(cut.found.figures).toHaveLength(foundMax)
    expect(cut.found).toMatchObject({ blocks: 4997, since: 4 })
  })
})

type Answer = Hex | 'reverts' | 'disagree'

/** Reads approvals from a chain that answers each read so. */
async function read(
  options: Partial<Parameters<typeof approvalsQuery>[1]>,
  answerTo: (to: Hex, data: Hex) => Answer,
  queries = createQueries(),
) {
  const calls: ReadCall[] = []
  const answer = (call: ReadCall) => {
    calls.push(call)
    const answers = readsIn(call).map(({ target, callData }) => answerTo(target, callData))
    const known = answers.filter((one) => one !== 'disagree')
    return known.length < answers.length ? refused('disagree') : aggregated(known)
  }
  const all = { chainId, owner, tokens: [], spenders: [], permitted: [], found: [], ...options }
  const query = approvalsQuery(async (_, asked) => asked.map(answer), all)
  await queries.fetchQuery(query)
  const figure = queries.getQueryData(query.queryKey)
  return { figure, approvals: figure?.known?.value ?? [], calls }
}
const pair = { tokens: [token], spenders: [spender] }
const addressAt = (at: number) => numberToHex(at, { size: 20 })

describe('what is read again before it is shown', () => {
  test('is each known token for each known spender, in one call; what is zero is left out', async () => {
    const { figure, approvals, calls } = await read(
      { tokens: [token, other], spenders: [spender, permit2] },
      (to, data) => word(to === token && data === readOfFigure(allowance, owner).data ? 5n : 0n),
    )
    expect(calls).toHaveLength(1)
    expect(figure).toMatchObject({ why: null, known: { block: 9, certificateId: 'a' } })
    expect(approvals).toEqual([{ figure: allowance, units: 5n, endMs: null, label: null }])
  })

  test('is unknown, never zero, and once for a token that reverts or is none', async () => {
    const tokens = [token, other] as const
    const answer = (to: Hex) => (to === token ? 'reverts' : '0x')
    const { approvals } = await read({ tokens, spenders: [spender, permit2] }, answer)
    expect(approvals).toMatchObject(tokens.map((of) => ({ figure: { token: of }, units: null })))
  })

  test('has the label that a token gives itself, where the site does not list it', async () => {
    const answer = (_: Hex, data: Hex) => labelReplies[data] ?? word(1n)
    const { approvals } = await read({ found: [allowance] }, answer)
    expect(approvals).toMatchObject([{ units: 1n, label: { symbol: 'DUSD', decimals: 6 } }])
  })

  const nowS = BigInt(Math.floor(Date.now() / 1000))
  /** An allowance in the books of Permit2 that ends so many seconds from now. */
  const inBooks = (units: bigint, endsIn: bigint) => words(units, nowS + endsIn, 3n)

  test('leaves out what Permit2 has and is over', async () => {
    const endIn = async (seconds: bigint) =>
      (await read({ tokens: [token], found: [permitted] }, () => inBooks(maxUint160, seconds))).approvals
    expect(await endIn(-60n)).toEqual([])
    const [approval] = await endIn(60n)
    expect(approval).toMatchObject({ figure: permitted, units: maxUint160, endMs: Number(nowS + 60n) * 1000 })
    expect(approval && isUnlimited(approval)).toBe(true)
    const forEver = await endIn(2n ** 48n - 1n - nowS)
    expect(forEver, 'an invalid date would break the page').toMatchObject([{ endMs: null }])
  })

  test('shows the approvals of other tokens if an unknown contract makes the reads fail', async () => {
    const found = Array.from({ length: 20 }, (_, at) => figureOf('allowance', addressAt(100 + at)))
    const [stranger] = found
    const { figure, approvals } = await read({ ...pair, found }, (to) =>
      to === stranger?.token ? 'disagree' : word(5n),
    )
    expect(figure).toMatchObject({ why: null, known: { evidence: expect.anything() } })
    expect(approvals.filter(({ units }) => units === 5n).length).toBeGreaterThan(18)
    expect(approvals).toContainEqual({ figure: stranger, units: null, endMs: null, label: null })
  })

  test('is what Permit2 lets a known spender take of a known token, however old; nothing where there is no Permit2', async () => {
    const books = (answer: Answer) =>
      read({ tokens: [token], permitted: [spender] }, (to) => (to === permit2 ? answer : word(0n)))
    expect((await books(inBooks(5n, 60n))).approvals).toMatchObject([{ figure: permitted, units: 5n }])
    expect((await books('0x')).approvals).toEqual([])
  })

  test('leaves out an item that is gone, was sold, or is approved for somebody else', async () => {
    const items = async (approved: Answer, isHadBy: Hex) => {
      const ownerOf = '0x6352211e'
      const answer = (_: string, data: string) => (data.startsWith(ownerOf) ? word(isHadBy) : approved)
      return (await read({ found: [item] }, answer)).approvals
    }
    expect(await items(word(spender), owner)).toMatchObject([{ figure: item, units: 1n }])
    expect(await items(word(spender), other)).toEqual([])
    expect(await items(word(other), owner)).toEqual([])
    expect(await items('reverts', owner)).toEqual([])
  })

  test.each([
    ['all that there is', allowance, maxUint256, true],
    ['as much as a token of 96 bits has', allowance, 2n ** 96n - 1n, true],
    ['less', allowance, 2n ** 96n - 2n, false],
    ['a collection', collection, 1n, true],
    ['an item', item, 1n, false],
    ['what is unknown', allowance, null, false],
  ])('is called unlimited or not: %s', (_, figure, units, unlimited) => {
    expect(isUnlimited({ figure, units, endMs: null, label: null })).toBe(unlimited)
  })

  test(`takes a call for each ${readsMax} reads`, async () => {
    const sizesOf = async (count: number) => {
      const spenders = Array.from({ length: count }, (_, at) => addressAt(at))
      const { approvals, calls } = await read({ tokens: [token], spenders }, () => word(1n))
      return [calls.length, approvals.length]
    }
    expect(await sizesOf(readsMax)).toEqual([1, readsMax])
    expect(await sizesOf(readsMax + 1)).toEqual([2, readsMax + 1])
  })

  test('is missing, with the reason, until the nodes agree, and stays, with the reason, while a later read fails', async () => {
    const queries = createQueries()
    const next = (answer: Answer) => read(pair, () => answer, queries)
    expect((await next('disagree')).figure).toEqual({ known: null, knownMs: null, why: 'disagree' })
    expect((await next(word(5n))).figure).toMatchObject({ why: null })
    const { figure, approvals } = await next('disagree')
    expect(figure).toMatchObject({ why: 'disagree', known: { block: 9 } })
    expect(approvals).toMatchObject([{ figure: allowance, units: 5n }])
  })

  test('stays if the read after a revocation or approval of a listed row fails', async () => {
    const queries = createQueries()
    const next = (found: readonly ApprovalFigure[], answer: Answer) =>
      read({ ...pair, found }, () => answer, queries)
    await next([item, collection], word(5n))
    for (const one of [item, collection, allowance]) {
      const { figure } = await next([one, item, collection], 'disagree')
      expect(figure).toMatchObject({ why: 'disagree', known: { block: 9 } })
    }
  })
})

test.each([
  ['an allowance', allowance, token, 'approve', [spender, 0n]],
  ['an allowance of Permit2', permitted, permit2, 'approve', [token, spender, 0n, 0]],
  ['a collection', collection, token, 'setApprovalForAll', [spender, false]],
  ['an item', item, token, 'approve', [zeroAddress, 42n]],
])('is revoked by one call: %s', (_, figure, address, functionName, args) => {
  const call = revocationOf(figure)
  expect(call).toMatchObject({ address, functionName, args })
  const data = encodeFunctionData(call)
  expect(decodeFunctionData({ abi: call.abi, data }).args).toEqual(args)
})

/** What is said of spenders on a chain that answers so when the code of one is read at a block. */
function spendersOn(
  codeOf: (spender: Hex, block: string) => string | null | undefined,
  { spenders, since = 100 }: { spenders: readonly Hex[]; since?: number | null },
) {
  const answer = ({ params }: ReadCall) => {
    const code = codeOf(...(params as [Hex, string]))
    return code ? agreed(code) : refused('refused')
  }
  // More than one batch can have.
  const readChain: ReadChain = async (_, calls) =>
    calls.map(calls.length > 1000 ? () => refused('refused') : answer)
  return createQueries().fetchQuery(spendersQuery(readChain, { chainId, spenders, since }))
}

test('a spender is a contract, with whether it is new, or an account, also one with code of its own', async () => {
  const delegated = `0xef0100${'ab'.repeat(20)}`
  const rows = [
    ['0x6001', '0x6001', { kind: 'contract', isNew: false }],
    ['0x6001', '0x', { kind: 'contract', isNew: true }],
    ['0x6001', null, { kind: 'contract', isNew: null }],
    ['0x', '0x', { kind: 'account' }],
    [delegated, '0x', { kind: 'account' }],
    [null, null, { kind: 'unknown' }],
  ] as const
  const spenders = rows.map((_, at) => addressAt(at))
  const codeOf = (one: Hex, block: string) => {
    const [now, before] = rows[spenders.indexOf(one)] ?? []
    return block === 'latest' ? now : block === '0x64' ? before : null
  }
  expect(Object.values(await spendersOn(codeOf, { spenders }))).toEqual(rows.map(([, , fact]) => fact))
})

test('more spenders than one batch can have are not called unknown', async () => {
  const spenders = Array.from({ length: 501 }, (_, at) => addressAt(at))
  const facts = await spendersOn(() => '0x', { spenders })
  expect(facts).toEqual(Object.fromEntries(spenders.map((one) => [one, { kind: 'account' }])))
})

test('a spender is not called new, or older than no block, where no block was searched', async () => {
  const codeOf = vi.fn(() => '0x6001')
  const facts = await spendersOn(codeOf, { spenders: [spender], since: null })
  expect(codeOf.mock.calls).toEqual([[spender, 'latest']])
  expect(facts).toEqual({ [spender.toLowerCase()]: { kind: 'contract', isNew: null } })
})

test('what the visitor has approved here is asked for, of this account and network alone', () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, 5n] })
  const label = { symbol: 'DUSD', decimals: 6 }
  const reviewed = { to: token, value: '0x0', data, token: label } as const
  const records = [
    recordOf({ reviewed, others: [{ ...reviewed, to: other }] }),
    recordOf({ reviewed: { to: token, value: '0x0', data } }),
    recordOf({ reviewed: { ...reviewed, data: '0x' } }),
    recordOf({ reviewed, chainId: 1 }),
    recordOf({ reviewed, from: other }),
    recordOf({}),
  ]
  expect(approvedIn(records, { chainId, owner })).toEqual([allowance, figureOf('allowance', other)])
})
