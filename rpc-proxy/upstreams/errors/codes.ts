import { type ErrorPattern, thisCallAlone } from './error-pattern.ts'

/** Codes whose words no other rule knows. */
export const codeRules: readonly ErrorPattern[] = [
  {
    // A rate or a range, and the caller chose the range: half of it is tried, once.
    name: 'a limit on a range of logs, without words',
    applies: ({ code }, { ranges }) => ranges && code === -32005,
    reply: () => ({ kind: 'unsupported', why: 'size', isGuess: true }),
  },
  {
    name: 'a limit on what its caller chose, without words',
    applies: ({ code }, { callerControlled }) => callerControlled && code === -32005,
    reply: () => thisCallAlone,
  },
  {
    name: 'a limit, without words',
    applies: ({ code }) => code === -32005,
    reply: () => ({ kind: 'fault', fault: 'rate-limited' }),
  },
  {
    name: 'it refuses params that we have checked',
    applies: ({ code }) => code === -32602,
    reply: () => ({ kind: 'unsupported', why: 'params' }),
  },
  {
    name: 'it cannot route this call (dRPC)',
    applies: ({ message }) => /can't route your request to suitable provider/i.test(message),
    reply: () => thisCallAlone,
  },
  {
    // besu says no more than this where it lacks the state of a block.
    name: 'an internal error at a block that the caller may have chosen',
    applies: ({ code, message }, { atBlock }) =>
      atBlock && code === -32603 && /^internal error\.?$/i.test(message),
    reply: () => thisCallAlone,
  },
]
