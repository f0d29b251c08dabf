import { hexText } from '../methods/here.ts'
import { isQuorum, type Operators, weightOf } from './electorate.ts'
import { highestBetween, highestReached, type Quantity, type Sides } from './quantities.ts'
import { answers, isEverybodyHeard, outstanding, type Situation, waitsInVain } from './situation.ts'
import type { Camp } from './tally.ts'
import { accept, by, fail, hopeless, type Judge, lacksVotes, type VerdictRule } from './verdict.ts'

const wordRule: VerdictRule = {
  name: 'enough weight reverts or refuses',
  applies: (situation) => wordOf(situation) !== undefined,
  decide: (situation, rule) => accept(wordOf(situation) as Camp, rule),
}

const overRules: readonly VerdictRule[] = [
  { name: 'only silent nodes are outstanding', applies: waitsInVain, decide: fail },
  { name: 'the deadline has passed', applies: ({ late }) => late, decide: fail },
]

const tooFewNumbers: VerdictRule = {
  name: 'too few can still answer',
  applies: (situation) =>
    !isNumbered(situation, outstanding(situation)) && !couldBeWord(situation, outstanding(situation)),
  decide: fail,
}

/** The highest value that quorum weight reaches, once everybody has been heard. */
export const highest: Judge = {
  decide: by([
    wordRule,
    {
      name: 'everybody has been heard',
      applies: (situation) =>
        (isEverybodyHeard(situation) || situation.late) && reachedIn(situation) !== undefined,
      decide: (situation, rule) => {
        const { value, atLeast } = reachedIn(situation) as Sides
        return { ...accepted(situation, value, rule), operators: atLeast }
      },
    },
    tooFewNumbers,
    ...overRules,
  ]),
  wantsMore: lacksNumbers,
  mayDiffer: true,
}

const betweenQuorums: VerdictRule = {
  name: 'a quorum reports at most this, and a quorum at least this',
  applies: (situation) => betweenIn(situation) !== undefined,
  decide: (situation, rule) => {
    const { value, atMost, atLeast } = betweenIn(situation) as Sides
    const weight = (operators: Operators) => weightOf(situation.electorate, operators)
    // Both support it; no more is claimed than the lighter of them.
    return {
      ...accepted(situation, value, rule),
      operators: weight(atMost) < weight(atLeast) ? atMost : atLeast,
    }
  },
}

/** The reported values are tried one after another. */
export const noneBetween: VerdictRule = {
  name: 'no reported value lies between two quorums',
  applies: (situation) => isEverybodyHeard(situation) && isNumbered(situation, 0),
  decide: fail,
}

/** A value between two quorums as soon as there is one; where everybody has been heard and there is none, `noneBetween`. */
export const estimate: Judge = {
  decide: by([wordRule, betweenQuorums, noneBetween, tooFewNumbers, ...overRules]),
  wantsMore: lacksNumbers,
  mayDiffer: true,
}

/** The same where no value can be tried: a stalled node may still report one between two quorums. */
export const unconfirmedEstimate: Judge = {
  decide: by([
    wordRule,
    betweenQuorums,
    {
      name: 'no value can lie between two quorums any more',
      applies: (situation) =>
        !couldBeBetween(situation, outstanding(situation)) && !couldBeWord(situation, outstanding(situation)),
      decide: fail,
    },
    ...overRules,
  ]),
  wantsMore: (situation) =>
    situation.unaskedUsable !== 0 ||
    (situation.unasked !== 0 && !couldBeBetween(situation, situation.awaited)),
  mayDiffer: true,
}

/** How a call ends, whatever it returns. Stalled nodes are not waited for: another value is tried. */
export const ending: Judge = {
  decide: by([
    {
      name: 'enough weight agrees how the call ends',
      applies: (situation) => endingOf(situation) !== undefined,
      decide: (situation, rule) => accept(endingOf(situation) as Camp, rule),
    },
    ...hopeless,
    {
      name: 'every node that has not stalled has answered',
      applies: ({ awaited, unasked }) => awaited === 0 && unasked === 0,
      decide: fail,
    },
  ]),
  wantsMore: lacksVotes,
  mayDiffer: false,
}

function endingOf({ camps, electorate }: Situation): Camp | undefined {
  return camps.find((camp) => isQuorum(electorate, camp.operators))
}

function accepted({ camps }: Situation, value: bigint, rule: string) {
  const camp = camps.find((candidate) => candidate.kind === 'answer' && numberOf(candidate) === value) as Camp
  return { ...accept(camp, rule), raw: hexText(value) }
}

function wordOf({ camps, electorate }: Situation): Camp | undefined {
  return camps.find((camp) => camp.kind !== 'answer' && isQuorum(electorate, camp.operators))
}

function couldBeWord({ camps, electorate }: Situation, joining: Operators): boolean {
  return camps.some((camp) => camp.kind !== 'answer' && isQuorum(electorate, camp.operators | joining))
}

/** With these there would be numbers of quorum weight. */
function isNumbered(situation: Situation, joining: Operators): boolean {
  const numbered = answers(situation).reduce((set, { operators }) => set | operators, joining)
  return isQuorum(situation.electorate, numbered)
}

function lacksNumbers(situation: Situation): boolean {
  return (
    situation.unaskedUsable !== 0 || (situation.unasked !== 0 && !isNumbered(situation, situation.awaited))
  )
}

/** If these reported the right value, whichever that is. */
function couldBeBetween(situation: Situation, joining: Operators): boolean {
  const { electorate } = situation
  return (
    isQuorum(electorate, joining) ||
    highestBetween(quantitiesOf(situation), (operators) => isQuorum(electorate, operators | joining)) !==
      undefined
  )
}

function betweenIn(situation: Situation): Sides | undefined {
  return highestBetween(quantitiesOf(situation), (operators) => isQuorum(situation.electorate, operators))
}

function reachedIn(situation: Situation): Sides | undefined {
  return highestReached(quantitiesOf(situation), (operators) => isQuorum(situation.electorate, operators))
}

function quantitiesOf(situation: Situation): readonly Quantity[] {
  return answers(situation)
    .filter((camp) => camp.operators !== 0)
    .map((camp) => ({ value: numberOf(camp), operators: camp.operators }))
}

/** The number that a camp reports. */
export function numberOf(camp: Camp): bigint {
  return BigInt(String(camp.variants[0]?.value))
}
