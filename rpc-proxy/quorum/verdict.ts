import { countOf, type Electorate, isQuorum, type Operators } from './electorate.ts'
import { answers, isEverybodyHeard, outstanding, type Situation, waitsInVain } from './situation.ts'
import type { Camp } from './tally.ts'

export interface Agreed {
  readonly kind: 'agreed'
  readonly rule: string
  readonly camp: Camp
  /** Operators behind it. */
  readonly operators: Operators
  /** Places of other camps that say as much, and more. */
  readonly beside: readonly number[]
  readonly raw: string | null
}

export type Verdict =
  | Agreed
  | { readonly kind: 'failed'; readonly rule: string; readonly reason: 'silent' | 'disagree' }

/** How replies become one. `wantsMore` tells whether another node must be asked now. */
export interface Judge {
  readonly decide: (situation: Situation) => Verdict | null
  readonly wantsMore: (situation: Situation) => boolean
}

export interface VerdictRule {
  readonly name: string
  readonly applies: (situation: Situation) => boolean
  readonly decide: (situation: Situation, rule: string) => Verdict
}

const hopeless: readonly VerdictRule[] = [
  { name: 'no camp can win any more', applies: (situation) => !canStillWin(situation), decide: fail },
  { name: 'only silent nodes are outstanding', applies: waitsInVain, decide: fail },
  { name: 'the deadline has passed', applies: ({ late }) => late, decide: fail },
]

const equalityRules: readonly VerdictRule[] = [
  {
    name: 'enough weight agrees',
    applies: (situation) => winnerOf(situation) !== undefined,
    decide: (situation, rule) => accept(winnerOf(situation) as Camp, rule),
  },
  ...hopeless,
]

const lookupRules: readonly VerdictRule[] = [
  {
    name: 'enough weight has it',
    applies: (situation) => objectOf(situation) !== undefined,
    decide: (situation, rule) => accept(objectOf(situation) as Camp, rule),
  },
  {
    name: 'enough weight knows it, in a block or not yet',
    applies: (situation) => pendingOf(situation, 0) !== undefined && isEverybodyHeard(situation),
    decide: (situation, rule) => ({
      ...accept(pendingOf(situation, 0) as Camp, rule),
      operators: knowing(situation),
      beside: answers(situation)
        .filter(({ isNull }) => !isNull)
        .map(({ place }) => place),
    }),
  },
  {
    name: 'nobody else has it',
    applies: (situation) => nullOf(situation) !== undefined && isEverybodyHeard(situation),
    decide: (situation, rule) => accept(nullOf(situation) as Camp, rule),
  },
  {
    name: 'no camp can win any more',
    applies: (situation) => {
      const open = outstanding(situation) & ~situation.voted
      return !couldAnyBeFound(situation, open) && pendingOf(situation, open) === undefined
    },
    decide: fail,
  },
  ...hopeless.slice(1),
]

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
  {
    name: 'everybody agrees',
    applies: (situation) =>
      winnerOf(situation) !== undefined && answers(situation).length === 1 && isEverybodyHeard(situation),
    decide: (situation, rule) => accept(winnerOf(situation) as Camp, rule),
  },
  {
    name: 'something speaks against what they say',
    applies: (situation) => winnerOf(situation) !== undefined && isEverybodyHeard(situation),
    decide: fail,
  },
  ...hopeless,
]

/** Equal answers, reverts and refusals, with quorum weight. */
export const equality: Judge = { decide: by(equalityRules), wantsMore: lacksVotes }

/** As equality, but `null` means "I do not have it" and wins only when nobody else says otherwise. */
export const lookup: Judge = {
  decide: by(lookupRules),
  wantsMore: (situation) =>
    (situation.unasked !== 0 && !couldAnyBeFound(situation, situation.awaited)) ||
    (situation.camps.some((camp) => camp.isNull) && situation.unaskedUsable !== 0),
}

/** As equality, but an answer that looks incomplete needs one vote more. */
export const logs: Judge = {
  decide: by(logsRules),
  wantsMore: (situation) =>
    lacksVotes(situation) ||
    (winnerOf(situation) !== undefined &&
      plainOf(situation) === undefined &&
      situation.unasked !== 0 &&
      !couldSpare(situation)),
}

export function by(rules: readonly VerdictRule[]): Judge['decide'] {
  return (situation) => {
    const rule = rules.find((candidate) => candidate.applies(situation))
    return rule === undefined ? null : rule.decide(situation, rule.name)
  }
}

export function accept(camp: Camp, rule: string): Agreed {
  return { kind: 'agreed', rule, camp, operators: camp.operators, beside: [], raw: null }
}

export function fail({ electorate, voted }: Situation, rule: string): Verdict {
  return { kind: 'failed', rule, reason: isQuorum(electorate, voted) ? 'disagree' : 'silent' }
}

function winnerOf({ camps, electorate }: Situation): Camp | undefined {
  return camps.find((camp) => isQuorum(electorate, camp.operators))
}

function objectOf(situation: Situation): Camp | undefined {
  return situation.camps.find((camp) => !camp.isNull && couldBeFound(situation, camp, 0))
}

/** Whether a camp may win a look-up once these have joined it: what others lack takes two operators and an agreed block. */
function couldBeFound(
  { camps, electorate, isSuspicious }: Situation,
  camp: Camp,
  joining: Operators,
): boolean {
  const operators = camp.operators | joining
  if (!isQuorum(electorate, operators)) return false
  if (camp.isNull || !camps.some(({ isNull }) => isNull)) return true
  return (
    countOf(operators) >= Math.min(2, electorate.operators.length) && !isSuspicious(camp.variants[0]?.value)
  )
}

/**
 * A transaction that some have in a block and some not yet: it hashes to its own key, so that whoever shows it in a block
 * says all that whoever shows it waiting does. Answers the camp that waits, once these have joined.
 */
function pendingOf(situation: Situation, joining: Operators): Camp | undefined {
  const { camps, electorate } = situation
  const known = knowing(situation) | joining
  const isBacked = isQuorum(electorate, known) && countOf(known) >= Math.min(2, electorate.operators.length)
  return isBacked ? camps.find(({ variants }) => isWaiting(variants[0]?.value)) : undefined
}

function knowing(situation: Situation): Operators {
  return answers(situation).reduce((set, { isNull, operators }) => (isNull ? set : set | operators), 0)
}

function isWaiting(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (value as { blockHash?: unknown }).blockHash === null
}

function couldAnyBeFound(situation: Situation, joining: Operators): boolean {
  return (
    isQuorum(situation.electorate, joining) ||
    situation.camps.some((camp) => couldBeFound(situation, camp, joining))
  )
}

function nullOf({ camps, electorate }: Situation): Camp | undefined {
  return camps.find((camp) => camp.isNull && isQuorum(electorate, camp.operators))
}

function plainOf({ camps, electorate, isSuspicious }: Situation): Camp | undefined {
  return camps.find((camp) => isQuorum(electorate, camp.operators) && !isSuspicious(camp.variants[0]?.value))
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
  const open = outstanding(situation) & ~situation.voted
  return (
    isQuorum(situation.electorate, open) ||
    situation.camps.some((camp) => isQuorum(situation.electorate, camp.operators | open))
  )
}

/** The best camp, with all that is in flight and not stalled, would not be a quorum. */
function lacksVotes({ electorate, camps, awaited, unasked }: Situation): boolean {
  if (unasked === 0) return false
  return (
    !isQuorum(electorate, awaited) && !camps.some((camp) => isQuorum(electorate, camp.operators | awaited))
  )
}
