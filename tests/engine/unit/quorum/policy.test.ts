import { expect, test } from 'vitest'
import {
  nextStep,
  type PolicySituation,
  type PolicyStep,
  undecided,
} from '../../../../rpc-proxy/quorum/policy.ts'

const policies = ['everyday', 'tightened', 'protected'] as const
const keys = Object.keys(undecided) as (keyof PolicySituation)[]

/** Every situation there is. */
const situations = Array.from(
  { length: 2 ** keys.length },
  (_, bits): PolicySituation => ({
    ...undecided,
    ...Object.fromEntries(keys.map((key, index) => [key, ((bits >> index) & 1) === 1])),
  }),
)

const casesOf = (...steps: readonly PolicyStep[]) =>
  policies.flatMap((policy) =>
    situations
      .filter((situation) => steps.includes(nextStep(policy, situation)))
      .map((situation) => ({ policy, situation })),
  )

test('silence makes no quorum cheaper: an everyday round in doubt is tightened, whatever it has agreed on', () => {
  for (const situation of situations)
    if (situation.mayTighten && situation.isDoubtful) expect(nextStep('everyday', situation)).toBe('tighten')
  expect(new Set(casesOf('tighten').map(({ policy }) => policy))).toEqual(new Set(['everyday']))
})

test('only what a quorum of the policy agrees on is accepted, and only a tightened round becomes thin', () => {
  expect(casesOf('accept').every(({ situation }) => situation.isAgreed)).toBe(true)
  expect(new Set(casesOf('degrade').map(({ policy }) => policy))).toEqual(new Set(['tightened']))
})

test('a result becomes thin only when nobody can complete it, and nobody who may contradict it is still to reply', () => {
  for (const { situation } of casesOf('degrade')) {
    expect(situation.isAwaited || situation.isAgreed).toBe(false)
    expect(situation.isOpen && !situation.isExhausted).toBe(false)
  }
})

test('short of a quorum that refuses alike, a protected round hears all who may still reply, and then fails', () => {
  const refused = { ...undecided, isOpen: false, mayRefuse: true }
  const ended = { ...refused, isExhausted: true }
  for (const policy of ['protected', 'bridge'] as const)
    expect([refused, ended].map((each) => nextStep(policy, each))).toEqual(['wait', 'fail'])
})

test('a protected round waits for no node that has stalled, and an everyday one does', () => {
  const stalled = { ...undecided, isExhausted: true }
  expect(policies.map((policy) => nextStep(policy, stalled))).toEqual(['wait', 'degrade', 'fail'])
})
