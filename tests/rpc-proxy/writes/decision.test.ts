import { describe, expect, test } from 'vitest'
import { electorateOf } from '../../../rpc-proxy/quorum/electorate.ts'
import { noOperators } from '../../../rpc-proxy/quorum/operator-set.ts'
import type { GroupIndex, MemberIndex } from '../../../rpc-proxy/runtime/indexes.ts'
import {
  decideTransaction,
  failure,
  needsSearch,
  type TransactionSituation,
} from '../../../rpc-proxy/writes/transaction-decision.ts'
import type { TransactionGroup } from '../../../rpc-proxy/writes/votes.ts'
import { bits } from '../../support/operators.ts'

const hash = `0x${'ab'.repeat(32)}`
const operators = ['a', 'b', 'c'].map((operator) => ({ operator, weight: 1 }))
const group = (rejection: TransactionGroup['rejection'], set: number): TransactionGroup => ({
  index: 0 as GroupIndex,
  rejection,
  members: [] as MemberIndex[],
  operators: bits(set),
})
/** Two operators of weight 1 must reject alike. Everybody has replied unless said otherwise. */
const situation = (options: Partial<TransactionSituation>): TransactionSituation => ({
  hash,
  groups: [],
  electorate: electorateOf(operators, 2, 2),
  voted: bits(0b111),
  search: 'not-started',
  isAwaited: false,
  isOutstanding: false,
  ...options,
})
const low = group('nonce-too-low', 0b011)
const poor = group('insufficient-funds', 0b011)

describe('the sender of a transaction', () => {
  test('has its hash as soon as one node accepts it, though others refuse and nodes are awaited', () => {
    const groups = [group(null, 0b100), poor]
    expect(decideTransaction(situation({ groups, isAwaited: true }))).toEqual({ kind: 'accepted', hash })
  })

  test('is refused by a quorum, once nobody is awaited', () => {
    const groups = [poor]
    expect(decideTransaction(situation({ groups, isAwaited: true }))).toBeNull()
    expect(decideTransaction(situation({ groups, isOutstanding: true }))).toEqual({
      kind: 'refused',
      class: 'insufficient-funds',
    })
  })

  test.each([
    ['weight', electorateOf(operators, 3, 2)],
    ['operators', electorateOf(operators, 2, 3)],
  ])('waits for those who have stalled where a refusal lacks %s', (_, electorate) => {
    const groups = [poor]
    expect(decideTransaction(situation({ groups, electorate, isOutstanding: true }))).toBeNull()
    expect(decideTransaction(situation({ groups, electorate }))).toEqual({
      kind: 'failed',
      reason: 'disagree',
    })
  })

  test('waits for the search where a quorum says that the nonce is used, and is refused if nothing is found', () => {
    const groups = [low]
    expect(decideTransaction(situation({ groups, search: 'running' }))).toBeNull()
    expect(decideTransaction(situation({ groups, search: 'not-found' }))).toEqual({
      kind: 'refused',
      class: 'nonce-too-low',
    })
    expect(decideTransaction(situation({ groups: [poor], search: 'running' }))).toMatchObject({
      kind: 'refused',
    })
  })

  test('waits for the search as well where nobody else can come', () => {
    const groups = [group('nonce-too-low', 0b001), group('insufficient-funds', 0b010)]
    expect(decideTransaction(situation({ groups, search: 'running' }))).toBeNull()
    expect(decideTransaction(situation({ groups, search: 'not-found' }))).toEqual({
      kind: 'failed',
      reason: 'disagree',
    })
  })

  test('is told that nodes are silent where too little weight has answered', () => {
    expect(decideTransaction(situation({ voted: noOperators }))).toEqual({ kind: 'failed', reason: 'silent' })
    const one = situation({ groups: [group('insufficient-funds', 0b001)], voted: bits(0b001) })
    expect(decideTransaction(one)).toEqual({ kind: 'failed', reason: 'silent' })
    expect(failure(situation({ groups: [poor] }))).toEqual({ kind: 'failed', reason: 'disagree' })
  })
})

test('a transaction is searched for once, when some node says that its nonce is used', () => {
  expect(needsSearch(situation({ groups: [poor] }))).toBe(false)
  expect(needsSearch(situation({ groups: [poor, low] }))).toBe(true)
  expect(needsSearch(situation({ groups: [low], search: 'running' }))).toBe(false)
  expect(needsSearch(situation({ groups: [group(null, 0b100), low] }))).toBe(false)
})
