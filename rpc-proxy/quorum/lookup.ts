import { countOf, isQuorum, type Operators } from './electorate.ts'
import { answers, isEverybodyHeard, outstanding, type Situation } from './situation.ts'
import type { Camp } from './tally.ts'
import { accept, aheadOfMany, by, fail, hopeless, type Judge, type VerdictRule } from './verdict.ts'

const rules: readonly VerdictRule[] = [
  {
    name: 'enough weight has it',
    applies: (situation) => objectOf(situation) !== undefined,
    decide: (situation, rule) => accept(objectOf(situation) as Camp, rule),
  },
  {
    name: 'enough weight knows it, in a block or not yet',
    applies: (situation) => pendingOf(situation, 0) !== undefined && isEverybodyHeard(situation),
    decide: (situation, rule) => {
      const pending = pendingOf(situation, 0) as Camp
      const knowing = knowingOf(situation, pending)
      return {
        ...accept(pending, rule),
        operators: operatorsOf(knowing),
        joined: knowing.filter((camp) => camp !== pending).map(({ place }) => place),
      }
    },
  },
  {
    name: 'nobody else has it',
    applies: (situation) => nullOf(situation) !== undefined && isEverybodyHeard(situation),
    decide: (situation, rule) => accept(nullOf(situation) as Camp, rule),
  },
  aheadOfMany,
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

/** As equality, but `null` means "I do not have it" and wins only when no other node says otherwise. */
export const lookup: Judge = {
  decide: by(rules),
  wantsMore: (situation) =>
    (situation.unasked !== 0 && !couldAnyBeFound(situation, situation.awaited)) ||
    (situation.camps.some((camp) => camp.isNull) && situation.unaskedUsable !== 0),
  mayDiffer: false,
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
  return isBySeveral(electorate, operators) && !isSuspicious(camp.variants[0]?.value)
}

function couldAnyBeFound(situation: Situation, joining: Operators): boolean {
  return (
    isQuorum(situation.electorate, joining) ||
    situation.camps.some((camp) => couldBeFound(situation, camp, joining))
  )
}

/**
 * The camp by which a transaction waits, if it is carried once these have joined: by its own operators and by those that
 * say the very same of it, but for the block in which they have it already.
 */
function pendingOf(situation: Situation, joining: Operators): Camp | undefined {
  const { electorate } = situation
  return answers(situation).find((camp) => {
    if (!isWaiting(camp)) return false
    const operators = operatorsOf(knowingOf(situation, camp)) | joining
    return isQuorum(electorate, operators) && isBySeveral(electorate, operators)
  })
}

function knowingOf(situation: Situation, pending: Camp): readonly Camp[] {
  const signed = signedOf(pending)
  return answers(situation).filter((camp) => camp === pending || (!camp.isNull && signedOf(camp) === signed))
}

function operatorsOf(camps: readonly Camp[]): Operators {
  return camps.reduce((set, { operators }) => set | operators, 0)
}

/** A pending transaction: its block is null, or not named at all. Blocks and receipts have no `gas`. */
function isWaiting({ variants }: Camp): boolean {
  const value = variants[0]?.value
  if (typeof value !== 'object' || value === null || !('gas' in value)) return false
  const { blockHash = null } = value as { readonly blockHash?: unknown }
  return blockHash === null
}

/** What a camp says of a transaction, its inclusion left out. */
function signedOf({ text }: Camp): string {
  const { blockHash, blockNumber, transactionIndex, ...signed } = JSON.parse(text)
  return JSON.stringify(signed)
}

function nullOf({ camps, electorate }: Situation): Camp | undefined {
  return camps.find((camp) => camp.isNull && isQuorum(electorate, camp.operators))
}

function isBySeveral({ operators: all }: Situation['electorate'], operators: Operators): boolean {
  return countOf(operators) >= Math.min(2, all.length)
}
