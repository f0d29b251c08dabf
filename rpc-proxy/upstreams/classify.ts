import type { Reply } from '../wire/types.ts'
import { accessRules } from './errors/access.ts'
import { availabilityRules } from './errors/availability.ts'
import { codeRules } from './errors/codes.ts'
import {
  type ErrorContext,
  type ErrorPattern,
  type NodeError,
  thisCallAlone,
  wordsOf,
} from './errors/error-pattern.ts'
import { haltRules, revertRules } from './errors/execution.ts'
import { rateRules } from './errors/rates.ts'
import { rangeGuess, sizeRules } from './errors/sizes.ts'
import { transactionRules } from './errors/transactions.ts'

/**
 * What an error of a node means: first row that applies. Nodes word the same fact differently; the wordings are those of
 * geth, erigon, nethermind, besu, reth, bor, nitro, anvil and the large providers. An error that no row knows is a fault
 * and never votes.
 */
const errorRules: readonly ErrorPattern[] = [
  ...revertRules,
  ...transactionRules,
  ...haltRules,
  ...rateRules,
  ...availabilityRules,
  ...sizeRules,
  ...accessRules,
  ...codeRules,
]

const otherwise = { kind: 'fault', fault: 'error' } as const satisfies Reply

/** What a node's error means for the call. Its text goes no further than this function. */
export function classify(error: NodeError, context: ErrorContext): Reply {
  const short = { ...error, message: wordsOf(error.message) }
  // An odd error of what a caller has chosen must not count against the node, or callers could bench nodes.
  return (
    errorRules.find((rule) => rule.applies(short, context))?.reply(error) ??
    (context.ranges ? rangeGuess : context.callerControlled ? thisCallAlone : otherwise)
  )
}
