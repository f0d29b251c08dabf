import { type Abi, encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Reading } from '#lib/page/reading.ts'
import {
  type Change,
  changesQuestion,
  isApproval,
  readChanges,
  simulateChanges,
  watchedMax,
  watchedOf,
} from '#lib/wallet/changes.ts'
import { readOfFigure, type WatchedFigure } from '#lib/wallet/watched.ts'
import { agreed, refused } from '../../support/readings.ts'
import { own as from, other as spender, third, token } from './accounts.ts'
import { topics, word } from './event-words.ts'

const call = { from, to: token, value: 3n, data: '0x12345678' } as const
const log = (...names: readonly string[]) => ({ address: token, topics: names, data: '0x' })
/** An event with these words as its data. */
const logWith = (names: readonly string[], ...words: readonly bigint[]) => ({
  ...log(...names),
  data: `0x${words.map((each) => word(each).slice(2)).join('')}`,
})
const done = (returnData = '0x', logs: readonly object[] = []) => ({ status: '0x1', returnData, logs })
const simulated = (calls: readonly object[]) => agreed([{ calls }])
const watched = (...logs: readonly object[]) => watchedOf(simulated([done('0x', logs)]), from)

describe('the figures that a call may change', () => {
  test('are those of the sender that its events name', () => {
    expect(
      watched(
        log(topics.transfer, word(from), word(spender)),
        log(topics.transfer, word(spender), word(from), word(7n)),
        // What else is an approval: approvals.test.ts.
        log(topics.approval, word(from), word(spender)),
      ),
    ).toEqual([
      { kind: 'balance', token },
      { kind: 'owned', token, id: 7n, owner: from },
      { kind: 'allowance', token, spender },
    ])
  })

  test('are the ERC-1155 items that it takes or gives, one by one and in batches', () => {
    const taken = [word(spender), word(from), word(spender)]
    const given = [word(spender), word(spender), word(from)]
    const items = (id: bigint) => ({ kind: 'items', token, id })
    expect(watched(logWith([topics.single, ...taken], 42n, 3n))).toEqual([items(42n)])
    expect(watched(logWith([topics.batch, ...given], 64n, 160n, 2n, 7n, 8n, 2n, 1n, 1n))).toEqual([
      items(7n),
      items(8n),
    ])
    const ofOthers = logWith([topics.single, word(from), word(spender), word(token)], 42n, 3n)
    const malformed = [logWith([topics.batch, ...given], 2n ** 255n, 1n), log(topics.single, ...given)]
    expect(watched(ofOthers, ...malformed)).toEqual([])
  })

  test('are none of others, and none of malformed events', () => {
    const malformed = { address: token, topics: null, data: '0x' }
    expect(watched(log(topics.transfer, word(spender), word(token)), malformed)).toEqual([])
    expect(watchedOf(refused('disagree'), from)).toEqual([])
  })
})

describe('a call whose events have many figures', () => {
  /** The number of calls in the second simulation, and the changes that it shows. */
  async function measured(figures: number, calls = 1) {
    const logs = Array.from({ length: figures }, (_, id) =>
      log(topics.approval, word(from), word(spender), word(BigInt(id))),
    )
    let size = 0
    const run = Array.from({ length: calls }, () => call)
    const changes = await simulateChanges(
      [call, ...run.slice(1)],
      simulated([done('0x', logs)]),
      async (asked) =>
        asked.map(({ method, params }) => {
          if (method === 'eth_getCode') return agreed('0x60')
          const [{ blockStateCalls }] = params as [{ blockStateCalls: [{ calls: object[] }] }]
          size = blockStateCalls[0].calls.length
          return simulated(blockStateCalls[0].calls.map(() => done(word(1n))))
        }),
    )
    return { size, changes }
  }

  test('shows no changes if there are too many figures', async () => {
    expect(await measured(watchedMax)).toMatchObject({ changes: [] })
    expect(await measured(watchedMax + 1)).toEqual({ size: 0, changes: null })
  })

  test('is simulated within the limit of the gateway, also as one of many', async () => {
    const { size } = await measured(watchedMax, watchedMax)
    expect(size).toBeLessThanOrEqual(128)
  })
})

test('an approval says whether its spender is an ordinary account', async () => {
  const logs = [
    log(topics.forAll, word(from), word(spender)),
    log(topics.forAll, word(from), word(token)),
    log(topics.forAll, word(from), word(third)),
  ]
  const codes: Readonly<Record<string, Reading>> = { [spender]: agreed('0x'), [token]: agreed('0x60') }
  const changes = await simulateChanges([call], simulated([done('0x', logs)]), async ([, ...asked]) => {
    const reads = [done(word(0n)), done(word(0n)), done(word(0n))]
    const [coin, labels] = [done(word(1n)), Array.from({ length: 6 }, () => done())]
    const after = reads.map(() => done(word(1n)))
    return [
      simulated([...labels, coin, ...reads, done(), coin, ...after]),
      ...asked.map(({ params }) => codes[String(params[0])] ?? refused('silent')),
    ]
  })
  expect(changes?.map(({ isToAccount }) => isToAccount)).toEqual([true, false, false])
})

describe('a simulated call', () => {
  const balance: WatchedFigure = { kind: 'balance', token }
  const symbol = `0x${'20'.padStart(64, '0')}${'4'.padStart(64, '0')}${'44555344'.padEnd(64, '0')}`

  test('runs between two reads of each figure, with its value', () => {
    const { params } = changesQuestion([call], [balance])
    const [{ blockStateCalls }] = params as [{ blockStateCalls: [{ calls: { data: string }[] }] }]
    const { calls } = blockStateCalls[0]
    expect(calls.map(({ data }) => data.slice(0, 10))).toEqual([
      '0x313ce567',
      '0x95d89b41',
      '0x4d2301cc',
      '0x70a08231',
      '0x12345678',
      '0x4d2301cc',
      '0x70a08231',
    ])
    expect(calls[4]).toEqual({ from, to: token, value: '0x3', data: '0x12345678' })
  })

  test.each<[WatchedFigure, string, readonly unknown[]]>([
    [balance, 'balanceOf(address)', [from]],
    [{ kind: 'items', token, id: 7n }, 'balanceOf(address, uint256)', [from, 7n]],
    [{ kind: 'owned', token, id: 7n, owner: from }, 'ownerOf(uint256)', [7n]],
    [{ kind: 'allowance', token, spender }, 'allowance(address, address)', [from, spender]],
    [{ kind: 'permit2', token, spender }, 'allowance(address, address, address)', [from, token, spender]],
    [{ kind: 'collection', token, spender }, 'isApprovedForAll(address, address)', [from, spender]],
    [{ kind: 'item', token, spender, id: 7n }, 'getApproved(uint256)', [7n]],
  ])('reads the figure %o by %s', (figure, signature, args) => {
    const abi = parseAbi([`function ${signature}`] as never) as Abi
    expect(readOfFigure(figure, from).data).toBe(encodeFunctionData({ abi, args }))
  })

  const label = { symbol: 'DUSD', decimals: 6 }
  const coin = done(word(1n))
  /** What the call changed: at most this figure, of a token that says these of itself. */
  const allChanged = (
    figure: WatchedFigure,
    before: object,
    after: object,
    labels = [done(word(6n)), done(symbol)],
  ) => readChanges(simulated([...labels, coin, before, done(), coin, after]), [figure])
  const changed = (...of: Parameters<typeof allChanged>) => allChanged(...of)?.[0]
  const permit: WatchedFigure = { kind: 'permit2', token, spender }
  const threeWords = (units: bigint) => done(`${word(units)}${word(1n).slice(2)}${word(2n).slice(2)}`)
  const item: WatchedFigure = { kind: 'item', token, spender, id: 42n }
  const [nobody, taker] = [done(word(0n)), done(word(spender))]

  test('shows what changes, measured and not as its events claim', () => {
    const reading = simulated([
      done(word(6n)),
      done(symbol),
      done(word(10n)),
      done(word(5n)),
      done('0x', [log(topics.transfer, word(spender), word(from))]),
      done(word(7n)),
      done(word(8n)),
    ])
    expect(readChanges(reading, [balance])).toEqual([
      { kind: 'coin', before: 10n, after: 7n, label: null },
      { kind: 'balance', token, before: 5n, after: 8n, label },
    ])
  })

  test('shows what Permit2 lets a spender take, whose answer has three words, and who may take an item', () => {
    const permitted = changed(permit, threeWords(0n), threeWords(5n))
    expect(permitted).toEqual({ ...permit, before: 0n, after: 5n, label })
    const given = changed(item, nobody, taker, [done(), done()])
    expect(given).toEqual({ ...item, before: 0n, after: 1n, label: null })
    const revoked = changed(item, taker, nobody)
    const lost = changed({ kind: 'items', token, id: 42n }, done(word(3n)), done(word(1n)))
    expect(lost).toMatchObject({ before: 3n, after: 1n })
    const got = changed(balance, done(word(1n)), done(word(3n)))
    expect([permitted, given, revoked, got].map((change) => isApproval(change as Change))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  const failed = { status: '0x0', returnData: '0x' }

  test('shows both items that are swapped within one collection, also a new one', () => {
    const owned = { kind: 'owned', token, owner: from } as const
    const [own, another, none] = [done(word(from)), done(word(spender)), { status: '0x0', returnData: '0x' }]
    const sold = { ...owned, id: 1n }
    expect(changed(sold, own, another)).toEqual({ ...sold, before: 1n, after: 0n, label })
    const minted = { ...owned, id: 2n }
    expect(changed(minted, none, own)).toEqual({ ...minted, before: 0n, after: 1n, label })
  })

  test('omits unchanged figures, and figures that cannot be read before the call', () => {
    expect(allChanged(balance, done(word(5n)), done(word(5n)))).toEqual([])
    expect(allChanged(balance, { status: '0x0', returnData: word(5n) }, done(word(6n)))).toEqual([])
    expect(allChanged(balance, failed, failed)).toEqual([])
  })

  test('does not claim that nothing changes if the call leaves no gas for the reads after it', () => {
    expect(allChanged(balance, done(word(5n)), failed)).toBeNull()
    expect(readChanges(simulated([coin, done(), failed]))).toBeNull()
  })

  test('shows nothing where it failed, and where the nodes do not agree', () => {
    expect(readChanges(simulated([coin, failed, coin]))).toBeNull()
    expect(readChanges(refused('refused'))).toBeNull()
    expect(readChanges(simulated([]))).toBeNull()
  })
})
