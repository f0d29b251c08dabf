/**
 * A model of the agreement rules in the simplest form, with names and lists instead of bits and tallies. It is independent
 * of the engine and follows only design §1 and §2.
 */
export interface ModelVoter {
  readonly operator: string
  readonly weight: number
}

export interface Model {
  /** In asking order. */
  readonly voters: readonly ModelVoter[]
  readonly quorum: number
  readonly operatorsMin: number
}

/** `N` is null, `P` is the transaction of `A` as pending, `word` is a revert. */
export type Value = 'A' | 'B' | 'P' | 'N' | 'word'
export type Status = 'unasked' | 'in flight' | 'stalled' | 'fault' | { readonly vote: Value }

export type Ruling =
  | { readonly agreed: Value }
  | { readonly failed: 'silent' | 'disagree' }
  /** Undecided: the next voter to ask, if any. */
  | { readonly requests: number | null }

/** One operator: its weight, the answers of its nodes, and whether more may come. */
interface Member {
  readonly weight: number
  readonly votes: readonly Value[]
  readonly isComing: boolean
  readonly isStalled: boolean
  readonly isUnasked: boolean
}

export const values: readonly Value[] = ['A', 'B', 'P', 'N', 'word']

export function rule(model: Model, statuses: readonly Status[], method: 'equality' | 'lookup'): Ruling {
  const { voters, quorum, operatorsMin } = model
  const members = new Map<string, Member>()
  for (const [index, { operator, weight }] of voters.entries()) {
    const known = members.get(operator)
    const status = statuses[index] as Status
    const votes = known?.votes ?? []
    members.set(operator, {
      weight: Math.max(weight, known?.weight ?? 0),
      votes: typeof status === 'object' && !votes.includes(status.vote) ? [...votes, status.vote] : votes,
      isComing: status === 'in flight' || known?.isComing === true,
      isStalled: status === 'stalled' || known?.isStalled === true,
      isUnasked: status === 'unasked' || known?.isUnasked === true,
    })
  }
  const all = [...members.values()]
  const silent = all.filter(({ votes }) => votes.length === 0)
  const coming = silent.filter(({ isComing }) => isComing)
  const possible = silent.filter(({ isComing, isStalled, isUnasked }) => isComing || isStalled || isUnasked)
  // While one node of an operator is in flight, another one adds nothing.
  const untouched = silent.filter(({ isComing, isUnasked }) => isUnasked && !isComing)
  const next = voters.findIndex(
    ({ operator }, index) =>
      statuses[index] === 'unasked' && untouched.includes(members.get(operator) as Member),
  )
  // An operator with two different answers does not count.
  const group = (value: Value) => all.filter(({ votes }) => votes.length === 1 && votes[0] === value)
  const isDenied = method === 'lookup' && all.some(({ votes }) => votes.includes('N'))

  const wins = (side: readonly Member[]) =>
    side.reduce((sum, { weight }) => sum + weight, 0) >= quorum && side.length >= operatorsMin
  const isEnough = (value: Value, side: readonly Member[]) => {
    if (!wins(side)) return false
    if (value === 'N' || !isDenied) return true
    // One operator alone does not win against nulls.
    return side.length >= Math.min(2, all.length)
  }
  const couldWin = (joining: readonly Member[]) =>
    wins(joining) || values.some((value) => isEnough(value, [...group(value), ...joining]))
  // A and P agree on the transaction, but not on its block: the result is pending.
  const couldWait = (joining: readonly Member[]) => {
    const side = [...group('A'), ...group('P'), ...joining]
    return (
      all.some(({ votes }) => votes.includes('P')) && wins(side) && side.length >= Math.min(2, all.length)
    )
  }

  const isHeard = coming.length === 0 && untouched.length === 0
  for (const value of values) {
    if (method === 'lookup' && value === 'N' && !isHeard) continue
    if (method === 'lookup' && value === 'N' && couldWait([])) return { agreed: 'P' }
    if (isEnough(value, group(value))) return { agreed: value }
  }
  if (!couldWin(possible) && !(method === 'lookup' && couldWait(possible)))
    return { failed: wins(all.filter(({ votes }) => votes.length > 0)) ? 'disagree' : 'silent' }
  // All voters are asked before null may win.
  return { requests: next >= 0 && (isDenied || !couldWin(coming)) ? next : null }
}

/** Numbers of the model: A < B < P. */
export const numbers: readonly Value[] = ['A', 'B', 'P']

/**
 * The estimate rule, for operators with one node each. If it fails although a quorum reported numbers, values are tried by
 * a call afterwards.
 */
export function ruleEstimate({ voters, quorum, operatorsMin }: Model, statuses: readonly Status[]): Ruling {
  const wins = (isMeant: (status: Status) => boolean) => {
    const side = voters.filter((_, index) => isMeant(statuses[index] as Status))
    return side.reduce((sum, { weight }) => sum + weight, 0) >= quorum && side.length >= operatorsMin
  }
  const rankOf = (status: Status) => (typeof status === 'object' ? numbers.indexOf(status.vote) : -1)
  const isNumber = (status: Status) => rankOf(status) >= 0
  const isWord = (status: Status) => typeof status === 'object' && status.vote === 'word'
  const isOpen = (status: Status) => typeof status === 'string' && status !== 'fault'

  if (wins(isWord)) return { agreed: 'word' }
  for (const [rank, number] of [...numbers.entries()].reverse()) {
    const isAtMost = (status: Status) => isNumber(status) && rankOf(status) <= rank
    const isAtLeast = (status: Status) => rankOf(status) >= rank
    // Only reported values may be answered.
    if (statuses.some((status) => rankOf(status) === rank) && wins(isAtMost) && wins(isAtLeast))
      return { agreed: number }
  }
  const isHeard = statuses.every((status) => status !== 'in flight' && status !== 'unasked')
  const canSettle =
    wins((status) => isNumber(status) || isOpen(status)) || wins((status) => isWord(status) || isOpen(status))
  if ((isHeard && wins(isNumber)) || !canSettle)
    return { failed: wins((status) => typeof status === 'object') ? 'disagree' : 'silent' }
  const next = statuses.indexOf('unasked')
  return { requests: next >= 0 ? next : null }
}
