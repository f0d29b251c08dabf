import { type Abi, encodeFunctionData, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
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
import { labelReplies, tokenEvent, word, words } from './event-words.ts'
import { done, failed, simulated, simulatedIn } from './simulation.ts'

const call = { from, to: token, value: 3n, data: '0x12345678' } as const
const watched = (...logs: readonly object[]) => watchedOf(simulated(done('0x', logs)), from)

describe('the figures that a call may change', () => {
  test('are those of the sender that its events name', () => {
    const logs = [
      tokenEvent('transfer', [from, spender]),
      tokenEvent('transfer', [spender, from, 7n]),
      // What else is an approval: approvals.test.ts.
      tokenEvent('approval', [from, spender]),
    ]
    expect(watched(...logs)).toEqual([
      { kind: 'balance', token },
      { kind: 'owned', token, id: 7n, owner: from },
      { kind: 'allowance', token, spender },
    ])
  })

  const taken = [spender, from, spender]
  const given = [spender, spender, from]

  test.each([
    ['that it takes', tokenEvent('single', taken, 42n, 3n), [42n]],
    ['that it gives in a batch', tokenEvent('batch', given, 64n, 160n, 2n, 7n, 8n, 2n, 1n, 1n), [7n, 8n]],
    ['but not those of others', tokenEvent('single', [from, spender, token], 42n, 3n), []],
    ['but none of a malformed batch', tokenEvent('batch', given, 2n ** 255n, 1n), []],
    ['but none of an event without data', tokenEvent('single', given), []],
  ])('are the ERC-1155 items %s', (_, event, ids) => {
    expect(watched(event)).toEqual(ids.map((id) => ({ kind: 'items', token, id })))
  })

  test('are none of others, and none of malformed events', () => {
    const malformed = { address: token, topics: null, data: '0x' }
    expect(watched(tokenEvent('transfer', [spender, token]), malformed)).toEqual([])
    expect(watchedOf(refused('disagree'), from)).toEqual([])
  })
})

describe('a call whose events have many figures', () => {
  /** The number of calls in the second simulation, and the changes that it shows. */
  async function measured(figures: number, others: readonly (typeof call)[] = []) {
    const logs = Array.from({ length: figures }, (_, id) =>
      tokenEvent('approval', [from, spender, BigInt(id)]),
    )
    let size = 0
    const again = (question: ReadCall) => {
      if (question.method === 'eth_getCode') return agreed('0x60')
      const calls = simulatedIn(question)
      size = calls.length
      return simulated(...calls.map(() => done(word(1n))))
    }
    const changes = await simulateChanges([call, ...others], simulated(done('0x', logs)), async (asked) =>
      asked.map(again),
    )
    return { size, changes }
  }

  test('shows no changes if there are too many figures', async () => {
    expect(await measured(watchedMax)).toMatchObject({ changes: [] })
    expect(await measured(watchedMax + 1)).toEqual({ size: 0, changes: null })
  })

  test('is simulated within the limit of the gateway, also as one of many', async () => {
    const { size } = await measured(watchedMax, Array(watchedMax - 1).fill(call))
    expect(size).toBeLessThanOrEqual(128)
  })
})

test('an approval says whether its spender is an ordinary account', async () => {
  const logs = [spender, token, third].map((party) => tokenEvent('forAll', [from, party]))
  const codes: Readonly<Record<string, Reading>> = { [spender]: agreed('0x'), [token]: agreed('0x60') }
  const changes = await simulateChanges([call], simulated(done('0x', logs)), async ([, ...asked]) => {
    const reads = (value: bigint) => logs.map(() => done(word(value)))
    const [coin, labels] = [done(word(1n)), Array(6).fill(done())]
    return [
      simulated(...labels, coin, ...reads(0n), done(), coin, ...reads(1n)),
      ...asked.map(({ params }) => codes[String(params[0])] ?? refused('silent')),
    ]
  })
  expect(changes?.map(({ isToAccount }) => isToAccount)).toEqual([true, false, false])
})

describe('a simulated call', () => {
  const balance: WatchedFigure = { kind: 'balance', token }

  test('runs between two reads of each figure, with its value', () => {
    const calls = simulatedIn(changesQuestion([call], [balance]))
    const label = ['0x313ce567', '0x95d89b41']
    const reads = ['0x4d2301cc', '0x70a08231']
    expect(calls.map(({ data }) => data.slice(0, 10))).toEqual([...label, ...reads, call.data, ...reads])
    expect(calls[4]).toEqual({ ...call, value: '0x3' })
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
  const labels = Object.values(labelReplies).map((reply) => done(reply))
  const coin = done(word(1n))
  /** What the call changed: at most this figure, of a token that says these of itself. */
  const allChanged = (figure: WatchedFigure, before: object, after: object, said = labels) =>
    readChanges(simulated(...said, coin, before, done(), coin, after), [figure])
  const changed = (...of: Parameters<typeof allChanged>) => allChanged(...of)?.[0]
  const permit: WatchedFigure = { kind: 'permit2', token, spender }
  const item: WatchedFigure = { kind: 'item', token, spender, id: 42n }
  const [nobody, taker] = [done(word(0n)), done(word(spender))]

  test('shows what changes, measured and not as its events claim', () => {
    const claim = tokenEvent('transfer', [spender, from])
    const before = [done(word(10n)), done(word(5n))]
    const after = [done(word(7n)), done(word(8n))]
    expect(readChanges(simulated(...labels, ...before, done('0x', [claim]), ...after), [balance])).toEqual([
      { kind: 'coin', before: 10n, after: 7n, label: null },
      { kind: 'balance', token, before: 5n, after: 8n, label },
    ])
  })

  test('shows what Permit2 lets a spender take, whose answer has three words, and who may take an item', () => {
    const permitted = changed(permit, done(words(0n, 1n, 2n)), done(words(5n, 1n, 2n)))
    expect(permitted).toEqual({ ...permit, before: 0n, after: 5n, label })
    const given = changed(item, nobody, taker, [done(), done()])
    expect(given).toEqual({ ...item, before: 0n, after: 1n, label: null })
    const revoked = changed(item, taker, nobody)
    const lost = changed({ kind: 'items', token, id: 42n }, done(word(3n)), done(word(1n)))
    expect(lost).toMatchObject({ before: 3n, after: 1n })
    const got = changed(balance, done(word(1n)), done(word(3n)))
    const areApprovals = [permitted, given, revoked, got].map((change) => isApproval(change as Change))
    expect(areApprovals).toEqual([true, true, false, false])
  })

  test('shows both items that are swapped within one collection, also a new one', () => {
    const [own, another] = [done(word(from)), done(word(spender))]
    const sold = { kind: 'owned', token, owner: from, id: 1n } as const
    expect(changed(sold, own, another)).toEqual({ ...sold, before: 1n, after: 0n, label })
    const minted = { ...sold, id: 2n }
    expect(changed(minted, failed, own)).toEqual({ ...minted, before: 0n, after: 1n, label })
  })

  test('omits unchanged figures, and figures that cannot be read before the call', () => {
    expect(allChanged(balance, done(word(5n)), done(word(5n)))).toEqual([])
    expect(allChanged(balance, { status: '0x0', returnData: word(5n) }, done(word(6n)))).toEqual([])
    expect(allChanged(balance, failed, failed)).toEqual([])
  })

  test('does not claim that nothing changes if the call leaves no gas for the reads after it', () => {
    expect(allChanged(balance, done(word(5n)), failed)).toBeNull()
    expect(readChanges(simulated(coin, done(), failed))).toBeNull()
  })

  test('shows nothing where it failed, and where the nodes do not agree', () => {
    for (const reading of [simulated(coin, failed, coin), refused('refused'), simulated()])
      expect(readChanges(reading)).toBeNull()
  })
})
