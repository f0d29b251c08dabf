import type { NodeError } from '../../wire/json-rpc.ts'
import type { Reply } from '../../wire/types.ts'

/** What the asked method lets an error mean. */
export interface ErrorContext {
  /** The method runs contract code, so that it can revert. */
  readonly executes: boolean
  /** The method sends a transaction. */
  readonly sends: boolean
  /** The call names its gas, so that running out of it is the chain's word and not the node's cap. */
  readonly gasGiven: boolean
  /** The method reads a range of logs. */
  readonly ranges: boolean
  /** The caller chooses what work it is: what goes wrong with it says nothing about the node. */
  readonly callerControlled: boolean
  /** The call reads at a block, which the caller may have chosen. */
  readonly atBlock: boolean
}

/** What the engine asks for its own purposes. */
export const internalCall: ErrorContext = {
  executes: false,
  sends: false,
  gasGiven: false,
  ranges: false,
  callerControlled: false,
  atBlock: false,
}

export interface ErrorPattern {
  /** The message is cut to the part that tells what it means. */
  readonly applies: (error: NodeError, context: ErrorContext) => boolean
  readonly reply: Reply | ((error: NodeError) => Reply)
}

/** A pattern of words that mean the same whatever was called. */
export const saying = (words: RegExp, reply: ErrorPattern['reply']): ErrorPattern => ({
  applies: ({ message }) => words.test(message),
  reply,
})

export const behind = { kind: 'behind' } as const satisfies Reply
export const rateLimited = { kind: 'fault', fault: 'rate-limited' } as const satisfies Reply

/** This call alone cannot be answered, for a reason that says nothing about other calls: no vote, no penalty. */
export const thisCallAlone = { kind: 'unsupported', why: 'execution' } as const satisfies Reply

/** Characters of a message that are read: a hostile one must not make the patterns slow. */
const wordsMax = 400

/** The part of a message that tells what it means. */
export const wordsOf = (message: string): string => message.slice(0, wordsMax)
