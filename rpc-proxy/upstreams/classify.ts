import type { NodeError } from '../wire/json-rpc.ts'
import { errorFault, type Reply } from '../wire/types.ts'
import { accessRules, availabilityRules, codeRules } from './errors/availability.ts'
import { type ErrorContext, type ErrorPattern, thisCallAlone, wordsOf } from './errors/error-pattern.ts'
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

/** What a node's error means for the call. Its text goes no further, but for `unknown`, which takes a quorum. */
export function classify(error: NodeError, context: ErrorContext): Reply {
  const short = { ...error, message: wordsOf(error.message) }
  const rule = errorRules.find((each) => each.applies(short, context))
  if (rule !== undefined) return typeof rule.reply === 'function' ? rule.reply(error) : rule.reply
  const { code, message } = short
  // An odd error of what a caller has chosen must not count against the node, or callers could bench nodes.
  const reply = context.ranges ? rangeGuess : context.callerControlled ? thisCallAlone : errorFault
  return saysNothing.test(message) || mayHoldSecret.test(message)
    ? reply
    : { ...reply, unknown: { code, message } }
}

/** An address, or a word like a key: nodes repeat the URL that they were asked at, and several of them may have one key. */
const mayHoldSecret = /:\/\/|\b(?!0x)(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{16,}/i

/** Words of a node that is broken or busy: they are about the node or the moment, and a quorum of such nodes refuses nothing. */
const saysNothing =
  /^\W*$|^(an? )?(internal|server|unknown|unexpected|fatal)( server| json-?rpc| rpc)?( error| exception)?\W*$|time(d|s)?[- ]?out|unavailable|try again|retry|temporar|overload|\bbusy\b|bad gateway|no response/i
