import { isQuorum, type Operators, weightOf } from './electorate.ts'
import { highestReached, weightedMedian } from './median.ts'
import { answers, isEverybodyHeard, outstanding, type Situation, waitsInVain } from './situation.ts'
import type { Camp } from './tally.ts'
import { accept, by, fail, type Judge, type VerdictRule } from './verdict.ts'

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
          ...accept(camp, rule),
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
    isOwn: true,
  }
}

function word({ camps, electorate }: Situation): Camp | undefined {
  return camps.find((camp) => camp.kind !== 'answer' && isQuorum(electorate, camp.operators))
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
