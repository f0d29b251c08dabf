import type { Reply } from '../wire/types.ts'

/** An error object as a node sent it. */
export interface NodeError {
  readonly code: number
  readonly message: string
  readonly data: unknown
}

/** What the asked method lets an error mean. */
export interface ErrorContext {
  /** The method runs contract code, so that it can revert. */
  readonly executes: boolean
  /** The method sends a transaction. */
  readonly sends: boolean
  /** The caller set the gas, so that running out of it is the chain's word and not the node's cap. */
  readonly gasGiven: boolean
  /** The method reads a range of logs. */
  readonly ranges: boolean
  /** The caller chooses what work it is: what goes wrong with it says nothing of the node. */
  readonly chosen: boolean
}

/** What the engine asks for reasons of its own. */
export const ofOurOwn: ErrorContext = {
  executes: false,
  sends: false,
  gasGiven: false,
  ranges: false,
  chosen: false,
}

interface ErrorRule {
  readonly name: string
  readonly applies: (error: NodeError, context: ErrorContext) => boolean
  readonly reply: (error: NodeError) => Reply
}

const tooMuch =
  /more than [\d,]+ (results|logs)|maximum number of (results|logs)|response (size|is too (big|large))|exceeds? (max|the) .*(results|size)|(logs|results) .*exceeds? limit|query timeout/i
/** Words of a range that took too long to go through. */
const tooSlow = /time(d|) ?out|deadline exceeded|took too long/i
const tooLong =
  /block range|range (is )?too|range .*exceeds|exceeds? (max|the) .*range|limited to .*range|(ranges?|more than|over) [\d,]+ blocks|ranges? over \d|too wide|too many blocks/i

/**
 * What an error of a node means: first row that applies. Nodes word the same fact differently; the wordings are those of
 * geth, erigon, nethermind, besu, reth, bor, nitro and anvil. An error that no row knows is a fault and never votes.
 */
const errorRules: readonly ErrorRule[] = [
  {
    name: 'a revert with its code',
    applies: ({ code }, { executes }) => executes && code === 3,
    reply: revert,
  },
  {
    name: 'a revert by its words',
    applies: ({ message, data }, { executes }) =>
      executes &&
      (/\brevert(ed)?\b/i.test(message) || (typeof data === 'string' && /^revert(ed)?\b/i.test(data))),
    reply: revert,
  },
  {
    name: 'the transaction is known',
    applies: ({ message }, { sends }) =>
      sends &&
      /already ?known|\bknown transaction\b|already imported|already in mempool|transaction already exists/i.test(
        message,
      ),
    reply: () => ({ kind: 'known' }),
  },
  refusal(
    'insufficient-funds',
    // geth allows as much gas as the sender can pay for.
    /gas required exceeds allowance \(0\)|insufficient ?(funds|(sender )?balance)|for sender balance|up-?front cost .*exceeds|balance too low|not enough (funds|balance)/i,
  ),
  refusal('nonce-too-low', /nonce (is )?too low|old ?nonce|nonce has already been used/i),
  refusal(
    'replacement-underpriced',
    /replacement ?(transaction underpriced|fee too low|not ?allowed)|gas price (too low )?to replace|could not replace existing|another transaction with same nonce/i,
  ),
  refusal(
    'fee-too-low',
    /(max fee per gas|fee ?cap|max_fee_per_gas).*(less|lower|below).*base ?fee|transaction underpriced|\bfee ?too ?low|gas price (is )?(below|less|lower).*base ?fee/i,
  ),
  refusal(
    'intrinsic-gas-too-low',
    /CallGasCostMoreThanGasLimit|intrinsic gas (is )?too low|intrinsic gas exceeds|below intrinsic gas|not enough gas to cover minimal cost/i,
  ),
  refusal(
    'exceeds-block-gas-limit',
    /exceeds block gas limit|gas ?limit ?(is )?(above|too high|exceeded|reached|greater than the block)|intrinsic gas too high/i,
  ),
  {
    name: 'the machine halted',
    applies: ({ message }, { executes }) =>
      executes &&
      /invalid ?(fe ?)?opcode|bad ?instruction|opcode .* not defined|OpcodeNotFound|stack ?(under|over)flow|stack limit reached|(invalid|bad) ?jump|write protection|static ?call ?violation|access ?violation|return data out of bounds|contract address collision|create ?collision|max (init)?code size exceeded|invalid code/i.test(
        message,
      ),
    reply: () => ({ kind: 'refusal', class: 'vm-halt' }),
  },
  {
    name: 'out of the gas that the caller gave',
    applies: ({ message }, { executes, gasGiven }) =>
      executes &&
      gasGiven &&
      /out ?of ?gas|gas uint64 overflow|gas required exceeds allowance/i.test(message),
    reply: () => ({ kind: 'refusal', class: 'vm-halt' }),
  },
  {
    name: 'the node wants us to slow down',
    applies: ({ code, message }, { ranges }) =>
      code === 429 ||
      /rate ?limit|too many requests?|request limit|quota|compute units|capacity exceeded|daily|credits/i.test(
        message,
      ) ||
      (code === -32005 &&
        !(ranges && (tooMuch.test(message) || tooLong.test(message) || tooSlow.test(message)))),
    reply: () => ({ kind: 'fault', fault: 'rate-limited' }),
  },
  {
    name: 'it has no such block yet',
    applies: ({ code, message }) =>
      code === -32001 ||
      /not (currently )?canonical|header not found|header for hash not found|unknown block|block not found|(cannot|could not) find (newest )?block|^\d+ could not be found|does not have the requested block|block .*(not available yet|is not yet available)|blockoutofrange|block.* out of range|block range extends beyond|invalid block range params|beyond current head|after last accepted block|requested block is in the future/i.test(
        message,
      ),
    reply: () => ({ kind: 'behind' }),
  },
  {
    name: 'it has pruned that state',
    applies: ({ message }) =>
      /missing trie node|pruned|archive|state( .*)? (unavailable|(is )?not available)|historical state|no state available|required (historical|data)|old data not available|proof window/i.test(
        message,
      ),
    reply: () => ({ kind: 'cannot', why: 'pruned' }),
  },
  {
    // First: these also tell which range of blocks to try, and that one holds for this filter alone.
    name: 'the reply is too large for it, or too much work',
    applies: ({ message }, { ranges }) => tooMuch.test(message) || (ranges && tooSlow.test(message)),
    reply: () => ({ kind: 'cannot', why: 'size' }),
  },
  {
    name: 'the range is too long for it',
    applies: ({ message }) => tooLong.test(message),
    reply: () => ({ kind: 'cannot', why: 'range' }),
  },
  {
    name: 'something about it is too large',
    applies: ({ code, message }, { ranges }) =>
      (ranges && code === -32602) || /too (large|many)/i.test(message),
    reply: () => ({ kind: 'cannot', why: 'size' }),
  },
  {
    name: 'it does not serve that method',
    applies: ({ code, message }) =>
      code === -32601 ||
      code === -32004 ||
      /method .*(not (found|supported|available|allowed|whitelisted|enabled)|does not exist|disabled|unavailable)|unsupported method/i.test(
        message,
      ),
    reply: () => ({ kind: 'cannot', why: 'method' }),
  },
  {
    name: 'it does not serve us',
    applies: ({ code, message }) =>
      code === -32046 || /unauthori[sz]ed|authenticat|api ?key|forbidden|access denied|tenant/i.test(message),
    reply: () => ({ kind: 'cannot', why: 'unauthorized' }),
  },
  {
    name: 'it refuses params that we have checked',
    applies: ({ code }) => code === -32602,
    reply: () => ({ kind: 'cannot', why: 'params' }),
  },
]

const otherwise = { kind: 'fault', fault: 'error' } as const satisfies Reply

/** An odd error of what a caller has chosen must not count against the node, or callers could bench nodes. */
const oddExecution = { kind: 'cannot', why: 'execution' } as const satisfies Reply

/** What a node's error means for the call. Its text goes no further than this function. */
export function classify(error: NodeError, context: ErrorContext): Reply {
  // A hostile message must not make the patterns slow: a few hundred characters tell all that there is to tell.
  const short = { ...error, message: error.message.slice(0, 400) }
  return (
    errorRules.find((rule) => rule.applies(short, context))?.reply(error) ??
    (context.chosen ? oddExecution : otherwise)
  )
}

function refusal(refused: Extract<Reply, { kind: 'refusal' }>['class'], words: RegExp): ErrorRule {
  return {
    name: refused,
    applies: ({ message }, { executes, sends }) => (executes || sends) && words.test(message),
    reply: () => ({ kind: 'refusal', class: refused }),
  }
}

function revert({ data, message }: NodeError): Reply {
  return { kind: 'revert', data: revertData(data) ?? revertData(message) ?? '0x' }
}

/** Revert data as clients put it: hex, Parity's "Reverted 0x…", or an object around either. Three objects deep at most. */
function revertData(data: unknown, depth = 0): string | null {
  if (typeof data === 'string') {
    const hex = /^(?:Reverted )?(0x[0-9a-f]*)$/i.exec(data)?.[1]
    return hex === undefined || hex.length % 2 === 1 ? null : hex.toLowerCase()
  }
  if (typeof data !== 'object' || data === null || depth === 3) return null
  const { data: inner, originalError, result } = data as Record<string, unknown>
  return revertData(inner, depth + 1) ?? revertData(originalError, depth + 1) ?? revertData(result, depth + 1)
}
