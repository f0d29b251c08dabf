/**
 * The rules of agreement once more, as plainly as they can be said, with names and lists instead of bits and tallies. It
 * knows nothing of the engine; design §1 and §2 are all that it was made from.
 */
export interface Seat {
  readonly operator: string
  readonly weight: number
}

export interface Assembly {
  /** In the order in which they are asked. */
  readonly seats: readonly Seat[]
  readonly quorum: number
  readonly operatorsMin: number
}

/** `N` is "I do not have it", `P` is "I have what A says, but not in a block yet". A word is a revert. */
export type Value = 'A' | 'B' | 'P' | 'N' | 'word'
export type Status = 'unasked' | 'flying' | 'stalled' | 'fault' | { readonly said: Value }

export type Ruling =
  | { readonly agreed: Value }
  | { readonly failed: 'silent' | 'disagree' }
  /** Undecided: whom to ask now, if anybody. */
  | { readonly asks: number | null }

/** One operator: what it weighs, what its nodes have said, and what may still come of them. */
interface Member {
  readonly weight: number
  readonly said: readonly Value[]
  readonly isComing: boolean
  readonly isStalled: boolean
  readonly isUnasked: boolean
}

export const values: readonly Value[] = ['A', 'B', 'P', 'N', 'word']

export function rule(assembly: Assembly, statuses: readonly Status[], method: 'equality' | 'lookup'): Ruling {
  const { seats, quorum, operatorsMin } = assembly
  const members = new Map<string, Member>()
  for (const [index, { operator, weight }] of seats.entries()) {
    const known = members.get(operator)
    const status = statuses[index] as Status
    const said = known?.said ?? []
    members.set(operator, {
      weight: Math.max(weight, known?.weight ?? 0),
      said: typeof status === 'object' && !said.includes(status.said) ? [...said, status.said] : said,
      isComing: status === 'flying' || known?.isComing === true,
      isStalled: status === 'stalled' || known?.isStalled === true,
      isUnasked: status === 'unasked' || known?.isUnasked === true,
    })
  }
  const all = [...members.values()]
  const silent = all.filter(({ said }) => said.length === 0)
  const coming = silent.filter(({ isComing }) => isComing)
  const possible = silent.filter(({ isComing, isStalled, isUnasked }) => isComing || isStalled || isUnasked)
  // While one node of an operator is on its way, its other one would add nothing.
  const untouched = silent.filter(({ isComing, isUnasked }) => isUnasked && !isComing)
  const next = seats.findIndex(
    ({ operator }, index) =>
      statuses[index] === 'unasked' && untouched.includes(members.get(operator) as Member),
  )
  // Whoever says two things says nothing.
  const camp = (value: Value) => all.filter(({ said }) => said.length === 1 && said[0] === value)
  const isDenied = method === 'lookup' && all.some(({ said }) => said.includes('N'))

  const wins = (side: readonly Member[]) =>
    side.reduce((sum, { weight }) => sum + weight, 0) >= quorum && side.length >= operatorsMin
  const isEnough = (value: Value, side: readonly Member[]) => {
    if (!wins(side)) return false
    if (value === 'N' || !isDenied) return true
    // One alone is not believed against those who do not have it.
    return side.length >= Math.min(2, all.length)
  }
  const couldWin = (joining: readonly Member[]) =>
    wins(joining) || values.some((value) => isEnough(value, [...camp(value), ...joining]))
  // Who says A and who says P say the same of it, and that it waits is all that they agree on further.
  const couldWait = (joining: readonly Member[]) => {
    const side = [...camp('A'), ...camp('P'), ...joining]
    return all.some(({ said }) => said.includes('P')) && wins(side) && side.length >= Math.min(2, all.length)
  }

  const isHeard = coming.length === 0 && untouched.length === 0
  for (const value of values) {
    if (method === 'lookup' && value === 'N' && !isHeard) continue
    if (method === 'lookup' && value === 'N' && couldWait([])) return { agreed: 'P' }
    if (isEnough(value, camp(value))) return { agreed: value }
  }
  if (!couldWin(possible) && !(method === 'lookup' && couldWait(possible)))
    return { failed: wins(all.filter(({ said }) => said.length > 0)) ? 'disagree' : 'silent' }
  // Before "I do not have it" is believed, everybody is asked.
  return { asks: next >= 0 && (isDenied || !couldWin(coming)) ? next : null }
}

/** Numbers of the model: A is less than B, and B less than P. */
export const numbers: readonly Value[] = ['A', 'B', 'P']

/**
 * The rule of estimates, of operators with one node each. What fails although numbers of quorum weight are there is tried
 * by a call afterwards.
 */
export function ruleEstimate({ seats, quorum, operatorsMin }: Assembly, statuses: readonly Status[]): Ruling {
  const wins = (isMeant: (status: Status) => boolean) => {
    const side = seats.filter((_, index) => isMeant(statuses[index] as Status))
    return side.reduce((sum, { weight }) => sum + weight, 0) >= quorum && side.length >= operatorsMin
  }
  const rankOf = (status: Status) => (typeof status === 'object' ? numbers.indexOf(status.said) : -1)
  const isNumber = (status: Status) => rankOf(status) >= 0
  const isWord = (status: Status) => typeof status === 'object' && status.said === 'word'
  const isOpen = (status: Status) => typeof status === 'string' && status !== 'fault'

  if (wins(isWord)) return { agreed: 'word' }
  for (const [rank, number] of [...numbers.entries()].reverse()) {
    const isAtMost = (status: Status) => isNumber(status) && rankOf(status) <= rank
    const isAtLeast = (status: Status) => rankOf(status) >= rank
    // Only what somebody has reported is answered.
    if (statuses.some((status) => rankOf(status) === rank) && wins(isAtMost) && wins(isAtLeast))
      return { agreed: number }
  }
  const isHeard = statuses.every((status) => status !== 'flying' && status !== 'unasked')
  const canSettle =
    wins((status) => isNumber(status) || isOpen(status)) || wins((status) => isWord(status) || isOpen(status))
  if ((isHeard && wins(isNumber)) || !canSettle)
    return { failed: wins((status) => typeof status === 'object') ? 'disagree' : 'silent' }
  const next = statuses.indexOf('unasked')
  return { asks: next >= 0 ? next : null }
}
