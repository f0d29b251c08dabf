import { expect, test } from 'vitest'
import {
  contains,
  difference,
  type Electorate,
  electorateOf,
  noOperators,
  setOf,
  union,
} from '../../../rpc-proxy/quorum/electorate.ts'
import { lookup } from '../../../rpc-proxy/quorum/lookup.ts'
import { estimate } from '../../../rpc-proxy/quorum/number-strategies.ts'
import { ReplyTally } from '../../../rpc-proxy/quorum/tally.ts'
import { equality, type Situation, type Strategy } from '../../../rpc-proxy/quorum/verdict.ts'
import type { MemberIndex, OperatorIndex } from '../../../rpc-proxy/runtime/indexes.ts'
import {
  type Model,
  type ModelVoter,
  numbers,
  type Ruling,
  rule,
  ruleEstimate,
  type Status,
  type Value,
  values,
} from './spec.ts'

/**
 * Every order of replies of up to four nodes with weights up to three, compared with the model in spec.ts: the verdict,
 * its moment, and whether another node is asked.
 */
type Method = 'equality' | 'lookup' | 'estimate'
const strategies: Readonly<Record<Method, Strategy>> = { equality, lookup, estimate }

for (const [name, sizes] of [
  ['one and two nodes, every weight, quorum and operator', [1, 2]],
  ['three nodes, every weight, quorum and operator', [3]],
] as const)
  for (const method of ['equality', 'lookup'] as const)
    test(`${method}: ${name}`, () => {
      let count = 0
      for (const model of sizes.flatMap((size) => models(size, everyQuorum))) count += explore(model, method)
      expect(count).toBeGreaterThan(1000)
    })

for (const method of ['equality', 'lookup'] as const)
  test(`${method}: four nodes at the decisive quorums`, () => {
    let count = 0
    for (const model of models(4, turningQuorums)) count += explore(model, method)
    expect(count).toBeGreaterThan(100_000)
  })

test('estimate: up to three operators with one node each, every weight and quorum', () => {
  let count = 0
  for (const model of [1, 2, 3].flatMap((size) => models(size, everyQuorum)))
    if (isEachAlone(model)) count += explore(model, 'estimate')
  expect(count).toBeGreaterThan(1000)
})

test('estimate: four operators at the decisive quorums', () => {
  let count = 0
  for (const model of models(4, turningQuorums)) if (isEachAlone(model)) count += explore(model, 'estimate')
  expect(count).toBeGreaterThan(10_000)
})

const isEachAlone = ({ voters }: Model) =>
  new Set(voters.map(({ operator }) => operator)).size === voters.length

/** Pending transactions are explored with up to three nodes. */
const valuesOf = (method: Method, size: number): readonly Value[] =>
  method === 'estimate'
    ? [...numbers, 'word']
    : method === 'equality'
      ? ['A', 'B', 'word']
      : size < 4
        ? ['A', 'B', 'P', 'N']
        : ['A', 'B', 'N']

const numberOf: Readonly<Record<Exclude<Value, 'word'>, string>> = {
  A: '"0x9"',
  B: '"0x10"',
  P: '"0xffffffffffffffffffff"',
  N: 'null',
}

const rawOf: Readonly<Record<Exclude<Value, 'word'>, string>> = {
  A: '{"is":"A","gas":"0x1","blockHash":"0x1"}',
  B: '{"is":"B","gas":"0x1","blockHash":"0x1"}',
  P: '{"is":"A","gas":"0x1","blockHash":null}',
  N: 'null',
}

/** Explores every event from every reachable situation; returns their number. */
function explore(model: Model, method: Method): number {
  const seen = new Set<string>()
  const electorate = electorateOf(model.voters, model.quorum, model.operatorsMin)
  const start = model.voters.map((): Status => 'unasked')
  const open: { readonly statuses: readonly Status[]; readonly last: number }[] = [
    { statuses: start, last: -1 },
  ]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { statuses, last } = at
    const expected = method === 'estimate' ? ruleEstimate(model, statuses) : rule(model, statuses, method)
    const ruled = ruling(electorate, { statuses, last, method })
    if (!isSame(ruled, expected))
      expect.fail(
        `${method} ${JSON.stringify({ ...model, statuses })}: ${JSON.stringify(ruled)}, and the model says ${JSON.stringify(expected)}`,
      )
    if (!('requests' in expected)) continue
    const { requests } = expected
    if (requests !== null) {
      visit(statuses.with(requests, 'in flight'), -1)
      continue
    }
    for (const [index, status] of statuses.entries()) {
      if (status !== 'in flight' && status !== 'stalled') continue
      if (status === 'in flight') visit(statuses.with(index, 'stalled'), -1)
      visit(statuses.with(index, 'fault'), -1)
      for (const vote of valuesOf(method, statuses.length)) visit(statuses.with(index, { vote }), index)
    }
  }
  return seen.size

  function visit(statuses: readonly Status[], last: number): void {
    let key = ''
    for (const status of statuses) key += typeof status === 'object' ? status.vote : status.slice(0, 2)
    if (seen.has(key)) return
    seen.add(key)
    open.push({ statuses, last })
  }
}

/** The ruling of the engine. The last reply is counted last, earlier ones in node order. */
function ruling(
  electorate: Electorate,
  { statuses, last, method }: { statuses: readonly Status[]; last: number; method: Method },
): Ruling {
  const strategy = strategies[method]
  const raws = method === 'estimate' ? numberOf : rawOf
  const tally = new ReplyTally({ textOf: (value) => JSON.stringify(value) })
  const operatorOf = (index: number) => electorate.operatorOf[index] as OperatorIndex
  const order = statuses.map((_, index) => index).filter((index) => index !== last)
  for (const index of last < 0 ? order : [...order, last]) {
    const status = statuses[index]
    if (typeof status !== 'object') continue
    const voter = { member: index as MemberIndex, operator: operatorOf(index) }
    if (status.vote === 'word') tally.vote(voter, { kind: 'reverted', data: '0x' })
    else tally.vote(voter, { kind: 'result', raw: raws[status.vote] })
  }
  const voted = tally.voted
  const those = (wanted: Status) =>
    difference(
      statuses.reduce(
        (set, status, index) => (status === wanted ? union(set, setOf(operatorOf(index))) : set),
        noOperators,
      ),
      voted,
    )
  const awaited = those('in flight')
  const remaining = difference(those('unasked'), awaited)
  const situation: Situation = {
    electorate,
    groups: tally.groups,
    voted,
    behind: noOperators,
    awaited,
    stalled: those('stalled'),
    remaining,
    remainingUsable: remaining,
    stalledAreOpen: false,
    late: false,
    isSuspicious: () => false,
  }
  const verdict = strategy.decide(situation)
  if (verdict === null) {
    const next = statuses.findIndex(
      (status, index) => status === 'unasked' && contains(remaining, operatorOf(index)),
    )
    return { requests: strategy.needsMore(situation) && next >= 0 ? next : null }
  }
  if (verdict.kind === 'failed') return { failed: verdict.reason === 'disagree' ? 'disagree' : 'silent' }
  const { kind, text } = verdict.group
  const isVote = (value: Value) => value !== 'word' && raws[value] === text
  return { agreed: kind === 'reverted' ? 'word' : (values.find(isVote) as Value) }
}

function isSame(one: Ruling, other: Ruling): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Every model of a size: weights, operators, quorums. */
function models(size: number, quorums: (total: number) => readonly number[]): readonly Model[] {
  const every = product(Array.from({ length: size }, () => [1, 2, 3]))
  // For four nodes only ascending and descending weights; other orders are covered with three.
  const isSorted = (list: readonly number[], sign: number) =>
    list.every((weight, index) => index === 0 || sign * (weight - (list[index - 1] ?? 0)) >= 0)
  const weights = size < 4 ? every : every.filter((list) => isSorted(list, 1) || isSorted(list, -1))
  return partitions(size).flatMap((operators) =>
    // Three nodes of one operator can contradict each other and then agree. Weights do not matter for that.
    (size === 4 && new Set(operators).size === 2 ? [[1, 1, 1, 1]] : weights).flatMap((weighing) => {
      const voters = weighing.map(
        (weight, index): ModelVoter => ({ operator: operators[index] ?? '', weight }),
      )
      const { total } = electorateOf(voters, 0, 1)
      const count = new Set(operators).size
      return quorums(total).flatMap((quorum) =>
        [1, 2].filter((least) => least <= count).map((operatorsMin) => ({ voters, quorum, operatorsMin })),
      )
    }),
  )
}

/** Weights are integers, so a fractional quorum equals the next integer. Half of the total is tried as well. */
const everyQuorum = (total: number) => [
  ...Array.from({ length: total }, (_, index) => index + 1),
  ...(total % 2 === 0 ? [] : [total / 2]),
]
const turningQuorums = (total: number) => [...new Set([Math.ceil(total / 2), Math.floor(total / 2) + 1])]

/** All partitions of nodes into operators: aaa, aab, aba, abb, abc. */
function partitions(size: number): readonly (readonly string[])[] {
  let found: readonly (readonly string[])[] = [[]]
  for (let position = 0; position < size; position++)
    found = found.flatMap((names) => [
      ...[...new Set(names)].map((name) => [...names, name]),
      [...names, String.fromCharCode(97 + position)],
    ])
  return size < 4 ? found : found.filter((names) => new Set(names).size >= 2)
}

function product<Item>(lists: readonly (readonly Item[])[]): readonly (readonly Item[])[] {
  return lists.reduce<readonly (readonly Item[])[]>(
    (all, list) => all.flatMap((items) => list.map((item) => [...items, item])),
    [[]],
  )
}
