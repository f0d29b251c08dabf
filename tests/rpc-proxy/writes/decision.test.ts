import { describe, expect, test } from 'vitest'
import type { SendCamp } from '../../../rpc-proxy/writes/count.ts'
import { decide, failure, type SendSituation, wantsToFind } from '../../../rpc-proxy/writes/decision.ts'

const hash = `0x${'ab'.repeat(32)}`
const camp = (refusal: SendCamp['refusal'], ...operators: readonly string[]): SendCamp => ({
  refusal,
  said: refusal ?? hash,
  weight: operators.length,
  operators,
  nodes: operators,
  voters: [],
})
/** Two operators of weight 1 must refuse alike. Everybody has replied unless said otherwise. */
const situation = (options: Partial<SendSituation>): SendSituation => ({
  hash,
  camps: [],
  needs: { weight: 2, operators: 2 },
  answeredWeight: 3,
  finding: 'not-asked',
  isAwaited: false,
  isOutstanding: false,
  ...options,
})
const low = camp('nonce-too-low', 'a', 'b')
const poor = camp('insufficient-funds', 'a', 'b')

describe('the sender of a transaction', () => {
  test('has its hash as soon as one node accepts it, though others refuse and nodes are awaited', () => {
    const camps = [camp(null, 'c'), poor]
    expect(decide(situation({ camps, isAwaited: true }))).toEqual({ kind: 'accepted', hash })
  })

  test('is refused by a quorum, once nobody is awaited', () => {
    const camps = [poor]
    expect(decide(situation({ camps, isAwaited: true }))).toBeNull()
    expect(decide(situation({ camps, isOutstanding: true }))).toEqual({
      kind: 'refused',
      class: 'insufficient-funds',
    })
  })

  test.each([
    ['weight', { weight: 3, operators: 2 }],
    ['operators', { weight: 2, operators: 3 }],
  ])('waits for those who have stalled where a refusal lacks %s', (_, needs) => {
    const camps = [poor]
    expect(decide(situation({ camps, needs, isOutstanding: true }))).toBeNull()
    expect(decide(situation({ camps, needs }))).toEqual({ kind: 'failed', reason: 'disagree' })
  })

  test('waits for the search where a quorum says that the nonce is used, and is refused if nothing is found', () => {
    const camps = [low]
    expect(decide(situation({ camps, finding: 'asked' }))).toBeNull()
    expect(decide(situation({ camps, finding: 'not-found' }))).toEqual({
      kind: 'refused',
      class: 'nonce-too-low',
    })
    expect(decide(situation({ camps: [poor], finding: 'asked' }))).toMatchObject({ kind: 'refused' })
  })

  test('waits for the search as well where nobody else can come', () => {
    const camps = [camp('nonce-too-low', 'a'), camp('insufficient-funds', 'b')]
    expect(decide(situation({ camps, finding: 'asked' }))).toBeNull()
    expect(decide(situation({ camps, finding: 'not-found' }))).toEqual({ kind: 'failed', reason: 'disagree' })
  })

  test('is told that nodes are silent where too little weight has answered', () => {
    expect(decide(situation({ answeredWeight: 0 }))).toEqual({ kind: 'failed', reason: 'silent' })
    const one = situation({ camps: [camp('insufficient-funds', 'a')], answeredWeight: 1 })
    expect(decide(one)).toEqual({ kind: 'failed', reason: 'silent' })
    expect(failure(situation({ camps: [poor] }))).toEqual({ kind: 'failed', reason: 'disagree' })
  })
})

test('a transaction is searched for once, when some node says that its nonce is used', () => {
  expect(wantsToFind(situation({ camps: [poor] }))).toBe(false)
  expect(wantsToFind(situation({ camps: [poor, low] }))).toBe(true)
  expect(wantsToFind(situation({ camps: [low], finding: 'asked' }))).toBe(false)
  expect(wantsToFind(situation({ camps: [camp(null, 'c'), low] }))).toBe(false)
})
