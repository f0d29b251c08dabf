import { type ErrorPattern, thisCallAlone, wordsOf } from './error-pattern.ts'

/** What the node does not have yet, or not any more. */
export const availabilityRules: readonly ErrorPattern[] = [
  {
    // Params that we have checked.
    name: 'a block is above its head (besu)',
    applies: ({ message }) => /invalid block number params/i.test(message),
    reply: () => ({ kind: 'behind' }),
  },
  {
    name: 'it has the block and has not executed it yet',
    applies: ({ message }) =>
      /has not been executed yet|transaction indexing is (in progress|not yet complete)|no state found for block/i.test(
        message,
      ),
    reply: () => ({ kind: 'behind' }),
  },
  {
    name: 'it has pruned that state',
    applies: ({ code, message }) =>
      code === 4444 ||
      /missing trie node|pruned|pruning|archive|state( .*)? (unavailable|(is )?not available)|historical state|no state available|required (historical|data)|proof window|history has expired|haven't been fully indexed|failed to get logs for block|only serves recent blocks|recreation l2 gas depth|failed to call fallback api/i.test(
        message,
      ),
    reply: ({ message }) => {
      const from = /available from block (\d{1,15})/i.exec(wordsOf(message))?.[1]
      return from === undefined
        ? { kind: 'unsupported', why: 'pruned' }
        : { kind: 'unsupported', why: 'pruned', fromBlock: Number(from) }
    },
  },
  {
    name: 'it has no such block yet',
    applies: ({ code, message }) =>
      code === -32001 ||
      /not (currently )?canonical|header not found|header for hash not found|unknown block|block (#?\w{1,66} )?not found|(cannot|could not) find (newest )?block|^\d+ could not be found|does not have the requested block|block .*(not available yet|is not yet available)|blockoutofrange|block.* out of range|block range extends beyond|invalid block range params|beyond (current )?head|after last accepted block|requested block is in the future|object not set|block body (not found|is missing)|initial sync|requested data not available/i.test(
        message,
      ),
    reply: () => ({ kind: 'behind' }),
  },
  {
    name: 'its record of that block is damaged (erigon, bor)',
    applies: ({ message }) => /receipts? (than expected|length mismatch)/i.test(message),
    reply: () => thisCallAlone,
  },
]
