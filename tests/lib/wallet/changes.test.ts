import { describe, expect, test } from 'vitest'
import {
  type Change,
  changesQuestion,
  isApproval,
  readChanges,
  watchedMax,
  watchedOf,
} from '#lib/wallet/changes.ts'
import type { WatchedFigure } from '#lib/wallet/watched.ts'
import { agreed, refused } from '../../support/readings.ts'
import { topics, word } from './event-words.ts'

const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const spender = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const call = { from, to: token, value: 3n, data: '0x12345678' } as const
const log = (...names: readonly string[]) => ({ address: token, topics: names, data: '0x' })
const done = (returnData = '0x', logs: readonly object[] = []) => ({ status: '0x1', returnData, logs })
const simulated = (calls: readonly object[]) => agreed([{ calls }])
const watched = (...logs: readonly object[]) => watchedOf(simulated([done('0x', logs)]), from)

describe('the figures that a call may change', () => {
  test('are those of the sender that its events name', () => {
    expect(
      watched(
        log(topics.transfer, word(from), word(spender)),
        log(topics.transfer, word(spender), word(from), word(7n)),
        log(topics.approval, word(from), word(spender)),
        log(topics.approval, word(from), word(spender), word(42n)),
        log(topics.forAll, word(from), word(spender)),
      ),
    ).toEqual([
      { kind: 'balance', token },
      { kind: 'allowance', token, spender },
      { kind: 'item', token, spender, id: 42n },
      { kind: 'collection', token, spender },
    ])
  })

  test('are none of others, and none of malformed events', () => {
    expect(
      watched(
        log(topics.transfer, word(spender), word(token)),
        log(topics.approval, word(spender), word(from)),
        log(topics.approval, word(from), 'nobody'),
        log(topics.forAll),
        { address: token, topics: null, data: '0x' },
      ),
    ).toEqual([])
    expect(watchedOf(refused('disagree'), from)).toEqual([])
  })

  test(`are at most ${watchedMax}, however many events there are`, () => {
    const many = Array.from({ length: watchedMax + 1 }, (_, id) =>
      log(topics.approval, word(from), word(spender), word(BigInt(id))),
    )
    expect(watched(...many.slice(1))).toHaveLength(watchedMax)
    expect(watched(...many)).toHaveLength(watchedMax)
  })
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
      { kind: 'balance', token, before: 5n, after: 8n, label: { symbol: 'DUSD', decimals: 6 } },
    ])
  })

  test('shows what Permit2 lets a spender take, whose answer has three words', () => {
    const permit: WatchedFigure = { kind: 'permit2', token, spender }
    const answer = (units: bigint) => done(`${word(units)}${word(1n).slice(2)}${word(2n).slice(2)}`)
    const reading = simulated([
      done(word(6n)),
      done(symbol),
      done(word(1n)),
      answer(0n),
      done(),
      done(word(1n)),
      answer(5n),
    ])
    const [change] = readChanges(reading, [permit]) ?? []
    expect(change).toEqual({ ...permit, before: 0n, after: 5n, label: { symbol: 'DUSD', decimals: 6 } })
    expect(isApproval(change as Change)).toBe(true)
  })

  test('leaves out what stays, and what cannot be read', () => {
    const still = [done(word(10n)), { status: '0x0', returnData: word(5n) }]
    const reading = simulated([done(), done(), ...still, done(), ...still])
    expect(readChanges(reading, [balance])).toEqual([])
  })

  test('shows nothing where it failed, and where the nodes do not agree', () => {
    const failed = simulated([done(word(1n)), { status: '0x0', returnData: '0x' }, done(word(1n))])
    expect(readChanges(failed)).toBeNull()
    expect(readChanges(refused('refused'))).toBeNull()
    expect(readChanges(simulated([]))).toBeNull()
  })

  test('tells who may take an item from before and after', () => {
    const item: WatchedFigure = { kind: 'item', token, spender, id: 42n }
    const reading = simulated([
      done(),
      done(),
      done(word(1n)),
      done(word(0n)),
      done(),
      done(word(1n)),
      done(word(spender)),
    ])
    const [change] = readChanges(reading, [item]) ?? []
    expect(change).toMatchObject({ kind: 'item', before: 0n, after: 1n, label: null })
    expect(isApproval(change as Change)).toBe(true)
    expect(isApproval({ ...(change as Change), before: 1n, after: 0n })).toBe(false)
  })
})
