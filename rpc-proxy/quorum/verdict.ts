import { type Electorate, isQuorum, type Operators } from './electorate.ts'
import {
  answers,
  isAheadOfMany,
  isEverybodyHeard,
  outstanding,
  type Situation,
  waitsInVain,
  wouldAgreeWith,
} from './situation.ts'
import type { Camp } from './tally.ts'

export interface Agreed {
  readonly kind: 'agreed'
  readonly rule: string
  readonly camp: Camp
  /** Operators behind it. */
  readonly operators: Operators
  /** Places of other camps that say all that this one does. */
  readonly joined: readonly number[]
  readonly raw: string | null
}

export type Verdict =
  | Agreed
  | { readonly kind: 'failed'; readonly rule: string; readonly reason: 'silent' | 'disagree' }

/** How replies become one. `wantsMore` tells whether another node must be asked now. */
export interface Judge {
  readonly decide: (situation: Situation) => Verdict | null
  readonly wantsMore: (situation: Situation) => boolean
  /** Every node has an answer of its own, and that two of them differ is no contradiction. */
  readonly mayDiffer: boolean
}

export interface VerdictRule {
  readonly name: string
  readonly applies: (situation: Situation) => boolean
  readonly decide: (situation: Situation, rule: string) => Verdict
}

/** The call is put again of the block before. */
export const aheadOfMany: VerdictRule = {
  name: 'too many lack the block still',
  applies: isAheadOfMany,
  decide: fail,
}

export const noCampCanWin: VerdictRule = {
  name: 'no camp can win any more',
  applies: (situation) => !canStillWin(situation),
  decide: fail,
}

export const hopeless: readonly VerdictRule[] = [
  noCampCanWin,
  { name: 'only silent nodes are outstanding', applies: waitsInVain, decide: fail },
  { name: 'the deadline has passed', applies: ({ late }) => late, decide: fail },
]

const equalityRules: readonly VerdictRule[] = [
  {
    name: 'enough weight agrees',
    applies: (situation) => winnerOf(situation) !== undefined,
    decide: (situation, rule) => accept(winnerOf(situation) as Camp, rule),
  },
  aheadOfMany,
  ...hopeless,
]

/** The answer looks incomplete and there is no extra vote: it is returned, since nothing better will come, and never cached. */
export const noVoteToSpare: VerdictRule = {
  name: 'everybody agrees',
  applies: (situation) =>
    winnerOf(situation) !== undefined && answers(situation).length === 1 && isEverybodyHeard(situation),
  decide: (situation, rule) => accept(winnerOf(situation) as Camp, rule),
}

const logsRules: readonly VerdictRule[] = [
  {
    name: 'enough weight agrees',
    applies: (situation) => plainOf(situation) !== undefined,
    decide: (situation, rule) => accept(plainOf(situation) as Camp, rule),
  },
  {
    name: 'enough weight agrees, with a vote to spare',
    applies: (situation) => spareOf(situation) !== undefined,
    decide: (situation, rule) => accept(spareOf(situation) as Camp, rule),
  },
  noVoteToSpare,
  {
    name: 'something speaks against what they say',
    applies: (situation) => winnerOf(situation) !== undefined && isEverybodyHeard(situation),
    decide: fail,
  },
  aheadOfMany,
  ...hopeless,
]

/** Equal answers, reverts and refusals, with quorum weight. */
export const equality: Judge = { decide: by(equalityRules), wantsMore: lacksVotes, mayDiffer: false }

/** As equality, but an answer that looks incomplete needs one vote more. */
export const logs: Judge = {
  decide: by(logsRules),
  wantsMore: (situation) =>
    lacksVotes(situation) ||
    (isDoubted(situation) &&
      plainOf(situation) === undefined &&
      situation.unasked !== 0 &&
      !couldSpare(situation)),
  mayDiffer: false,
}

export function by(rules: readonly VerdictRule[]): Judge['decide'] {
  return (situation) => {
    const rule = rules.find((candidate) => candidate.applies(situation))
    return rule === undefined ? null : rule.decide(situation, rule.name)
  }
}

export function accept(camp: Camp, rule: string): Agreed {
  return { kind: 'agreed', rule, camp, operators: camp.operators, joined: [], raw: null }
}

export function fail({ electorate, voted }: Situation, rule: string): Verdict {
  return { kind: 'failed', rule, reason: isQuorum(electorate, voted) ? 'disagree' : 'silent' }
}

function winnerOf({ camps, electorate }: Situation): Camp | undefined {
  return camps.find((camp) => isQuorum(electorate, camp.operators))
}

function plainOf({ camps, electorate, isSuspicious }: Situation): Camp | undefined {
  return camps.find((camp) => isQuorum(electorate, camp.operators) && !isSuspicious(camp.variants[0]?.value))
}

/** A quorum says what something speaks against; or somebody does, and nobody who has answered could win without a vote more. */
function isDoubted(situation: Situation): boolean {
  const { camps, electorate, awaited, isSuspicious } = situation
  if (winnerOf(situation) !== undefined) return true
  const suspicious = camps.map((camp) => isSuspicious(camp.variants[0]?.value))
  const mayWin = ({ operators }: Camp, at: number) =>
    !suspicious[at] && isQuorum(electorate, operators | awaited)
  return suspicious.includes(true) && !camps.some(mayWin)
}

function spareOf(situation: Situation): Camp | undefined {
  return situation.camps.find((camp) => hasSpare(situation.electorate, camp.operators))
}

function couldSpare({ electorate, camps, awaited }: Situation): boolean {
  return camps.some((camp) => hasSpare(electorate, camp.operators | awaited))
}

/** A quorum still when any one of its operators is left out. */
function hasSpare(electorate: Electorate, operators: Operators): boolean {
  for (let bits = operators; bits !== 0; bits &= bits - 1) {
    if (!isQuorum(electorate, operators & ~(bits & -bits))) return false
  }
  return operators !== 0
}

function canStillWin(situation: Situation): boolean {
  return couldAgree(outstanding(situation) & ~situation.voted, situation)
}

/** The best camp, with all that is in flight and not stalled, would not be a quorum. */
export function lacksVotes(situation: Situation): boolean {
  return situation.unasked !== 0 && !couldAgree(situation.awaited, situation)
}

/** Whether these alone, or some camp that they join, would be a quorum. */
function couldAgree(operators: Operators, { camps, electorate }: Situation): boolean {
  return isQuorum(electorate, operators) || wouldAgreeWith(operators, camps, electorate)
}
