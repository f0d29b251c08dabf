import { behind, type ErrorPattern, rateLimited, saying, thisCallAlone, wordsOf } from './error-pattern.ts'
import { rangeGuess } from './sizes.ts'

/** What the node does not have yet, or not any more. */
export const availabilityRules: readonly ErrorPattern[] = [
  // A block is above its head (besu): these are params that we have checked.
  saying(/invalid block number params/i, behind),
  // It has the block and has not executed it yet.
  saying(
    /has not been executed yet|transaction indexing is (in progress|not yet complete)|no state found for block/i,
    behind,
  ),
  // It has pruned that state.
  {
    applies: ({ code, message }) =>
      code === 4444 ||
      /missing trie node|pruned|pruning|archive|state( .*)? (unavailable|(is )?not available)|historical state|no state available|required (historical|data)|proof window|history has expired|haven't been fully indexed|failed to get logs for block|only serves recent blocks|recreation l2 gas depth|failed to call fallback api/i.test(
        message,
      ),
    reply: ({ message }) => {
      const from = /available from block (\d{1,15})/i.exec(wordsOf(message))?.[1]
      return { kind: 'unsupported', why: 'pruned', ...(from !== undefined && { fromBlock: Number(from) }) }
    },
  },
  // It has no such block yet.
  {
    applies: ({ code, message }) =>
      code === -32001 ||
      /not (currently )?canonical|header not found|header for hash not found|unknown block|block (#?\w{1,66} )?not found|(cannot|could not) find (newest )?block|^\d+ could not be found|does not have the requested block|block .*(not available yet|is not yet available)|blockoutofrange|block.* out of range|block range extends beyond|invalid block range params|beyond (current )?head|after last accepted block|requested block is in the future|object not set|block body (not found|is missing)|initial sync|requested data not available/i.test(
        message,
      ),
    reply: behind,
  },
  // Its record of that block is damaged (erigon, bor).
  saying(/receipts? (than expected|length mismatch)/i, thisCallAlone),
]

/** What the node does not serve, or not to us. */
export const accessRules: readonly ErrorPattern[] = [
  {
    applies: ({ code, message }) =>
      code === -32601 ||
      code === -32004 ||
      /method .*(not (found|supported|available|allowed|whitelisted|enabled)|does not exist|disabled|unavailable)|unsupported method/i.test(
        message,
      ),
    reply: { kind: 'unsupported', why: 'method' },
  },
  {
    applies: ({ code, message }) =>
      code === -32046 ||
      /unauthori[sz]ed|authenticat|api ?key|forbidden|access denied|tenant|app is inactive|not available on (the )?free/i.test(
        message,
      ),
    reply: { kind: 'unsupported', why: 'unauthorized' },
  },
]

/** Codes whose words no other rule knows. */
export const codeRules: readonly ErrorPattern[] = [
  // A limit without words. A rate or a range, and the caller chose the range: half of it is tried, once.
  { applies: ({ code }, { ranges }) => ranges && code === -32005, reply: rangeGuess },
  { applies: ({ code }, { callerControlled }) => callerControlled && code === -32005, reply: thisCallAlone },
  { applies: ({ code }) => code === -32005, reply: rateLimited },
  // It refuses params that we have checked.
  { applies: ({ code }) => code === -32602, reply: { kind: 'unsupported', why: 'params' } },
  // It cannot route this call (dRPC).
  saying(/can't route your request to suitable provider/i, thisCallAlone),
  // besu says no more than this where it lacks the state of a block, which the caller may have chosen.
  {
    applies: ({ code, message }, { atBlock }) =>
      atBlock && code === -32603 && /^internal error\.?$/i.test(message),
    reply: thisCallAlone,
  },
]
