import { countOf, type Electorate, isQuorum, type Operators, weightOf } from './electorate.ts'
import { highestReached, weightedMedian } from './median.ts'
import type { Camp } from './tally.ts'

/** All that a verdict may rest on. No time, no network: the same situation always gets the same verdict. */
export interface Situation {
  readonly electorate: Electorate
  readonly camps: readonly Camp[]
  /** Operators with a ballot. */
  readonly voted: Operators
  /** Operators that are being asked and have not stalled. */
  readonly awaited: Operators
  /** Operators that are being asked and have stalled. */
  readonly stalled: Operators
  /** Operators that could still be asked. */
  readonly unasked: Operators
  /** Of those, operators with a usable node. */
  readonly unaskedUsable: Operators
  /** Every stalled ask is of a node that has been silent so often that nobody waits for it alone. */
  readonly stalledForGood: boolean
  /** The deadline has passed. */
  readonly late: boolean
  /** An answer that must have a vote to spare, because something speaks against it. */
  readonly isSuspicious: (value: unknown) => boolean
}

export type Verdict =
  | {
      readonly kind: 'agreed'
      readonly rule: string
      readonly camp: Camp
      readonly operators: Operators
      readonly raw: string | null
    }
  | { readonly kind: 'failed'; readonly rule: string; readonly reason: 'silent' | 'disagree' }

/** How replies become one. `wantsMore` tells whether another node must be asked now. */
export interface Judge {
  readonly decide: (situation: Situation) => Verdict | null
  readonly wantsMore: (situation: Situation) => boolean
}

interface VerdictRule {
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
    name: 'nobody else has it',
    applies: (situation) => nullOf(situation) !== undefined && isEverybodyHeard(situation),
    decide: (situation, rule) => accept(nullOf(situation) as Camp, rule),
  },
  {
    name: 'no camp can win any more',
    applies: (situation) => !couldAnyBeFound(situation, outstanding(situation) & ~situation.voted),
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

const hopelessForNumbers: readonly VerdictRule[] = [
  {
    name: 'too few can still answer',
    applies: (situation) =>
      !isQuorum(situation.electorate, numbersBy(situation) | outstanding(situation)) &&
      !situation.camps.some((camp) =>
        isQuorum(situation.electorate, camp.operators | outstanding(situation)),
      ),
    decide: fail,
  },
  { name: 'only silent nodes are outstanding', applies: waitsInVain, decide: fail },
  { name: 'the deadline has passed', applies: ({ late }) => late, decide: fail },
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

/** The weighted median of all that answer; with `upper`, of two middles the greater. A revert wins with quorum. */
export function median(upper: boolean): Judge {
  return numeric((situation) => weightedMedian(quantities(situation), upper))
}

/** The highest value that quorum weight reaches. */
export const highest: Judge = numeric((situation) =>
  highestReached(quantities(situation), (operators) => isQuorum(situation.electorate, operators)),
)

function numeric(verdictOn: (situation: Situation) => bigint | null): Judge {
  const rules: readonly VerdictRule[] = [
    {
      name: 'enough weight reverts or refuses',
      applies: (situation) => word(situation) !== undefined,
      decide: (situation, rule) => accept(word(situation) as Camp, rule),
    },
    {
      name: 'everybody has been heard',
      applies: (situation) =>
        (isEverybodyHeard(situation) || situation.late) &&
        isQuorum(situation.electorate, numbersBy(situation)) &&
        verdictOn(situation) !== null,
      decide: (situation, rule) => {
        const value = verdictOn(situation) as bigint
        const camp =
          situation.camps.find(
            (candidate) =>
              candidate.kind === 'answer' && BigInt(String(candidate.variants[0]?.value)) === value,
          ) ?? (situation.camps[0] as Camp)
        return {
          kind: 'agreed',
          rule,
          camp,
          operators: numbersBy(situation),
          raw: `"0x${value.toString(16)}"`,
        }
      },
    },
    ...hopelessForNumbers,
  ]
  return {
    decide: by(rules),
    wantsMore: (situation) => situation.unaskedUsable !== 0 || lacksNumbers(situation),
  }
}

function by(rules: readonly VerdictRule[]): Judge['decide'] {
  return (situation) => {
    const rule = rules.find((candidate) => candidate.applies(situation))
    return rule === undefined ? null : rule.decide(situation, rule.name)
  }
}

function accept(camp: Camp, rule: string): Verdict {
  return { kind: 'agreed', rule, camp, operators: camp.operators, raw: null }
}

function fail({ electorate, voted }: Situation, rule: string): Verdict {
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

function word({ camps, electorate }: Situation): Camp | undefined {
  return camps.find((camp) => camp.kind !== 'answer' && isQuorum(electorate, camp.operators))
}

function answers({ camps }: Situation): readonly Camp[] {
  return camps.filter((camp) => camp.kind === 'answer')
}

/** Every node worth asking has answered or stalled. */
function isEverybodyHeard({ awaited, unaskedUsable }: Situation): boolean {
  return awaited === 0 && unaskedUsable === 0
}

function outstanding({ awaited, stalled, unasked }: Situation): Operators {
  return awaited | stalled | unasked
}

function canStillWin(situation: Situation): boolean {
  const open = outstanding(situation) & ~situation.voted
  return (
    isQuorum(situation.electorate, open) ||
    situation.camps.some((camp) => isQuorum(situation.electorate, camp.operators | open))
  )
}

function waitsInVain({ awaited, unasked, stalled, stalledForGood }: Situation): boolean {
  return awaited === 0 && unasked === 0 && stalled !== 0 && stalledForGood
}

/** The best camp, with all that is in flight and not stalled, would not be a quorum. */
function lacksVotes({ electorate, camps, awaited, unasked }: Situation): boolean {
  if (unasked === 0) return false
  return (
    !isQuorum(electorate, awaited) && !camps.some((camp) => isQuorum(electorate, camp.operators | awaited))
  )
}

function lacksNumbers(situation: Situation): boolean {
  return situation.unasked !== 0 && !isQuorum(situation.electorate, numbersBy(situation) | situation.awaited)
}

function numbersBy(situation: Situation): Operators {
  let operators = 0
  for (const camp of answers(situation)) operators |= camp.operators
  return operators
}

function quantities(
  situation: Situation,
): readonly { value: bigint; operators: Operators; weight: number }[] {
  return answers(situation)
    .filter((camp) => camp.operators !== 0)
    .map((camp) => ({
      value: BigInt(String(camp.variants[0]?.value)),
      operators: camp.operators,
      weight: weightOf(situation.electorate, camp.operators),
    }))
}
