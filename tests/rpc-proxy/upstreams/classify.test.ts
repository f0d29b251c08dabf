import { describe, expect, test } from 'vitest'
import { classify } from '../../../rpc-proxy/upstreams/classify.ts'
import { type ErrorContext, ofOurOwn } from '../../../rpc-proxy/upstreams/errors/error-pattern.ts'
import type { Reply } from '../../../rpc-proxy/wire/types.ts'

/** A backtracking pattern takes minutes for such texts; this leaves room for a busy machine. */
const hangMs = 5_000

const reads = ofOurOwn
const calls = { ...reads, executes: true, callerControlled: true }
const proofs = { ...reads, callerControlled: true }
const callsWithGas = { ...calls, gasGiven: true }
const sends = { ...reads, sends: true, callerControlled: true }
const logs = { ...reads, ranges: true, callerControlled: true }

const say = (context: ErrorContext, message: string, code = -32000, data?: unknown): Reply =>
  classify({ code, message, data }, context)

/** A short name of a reply. */
function word(reply: Reply): string {
  switch (reply.kind) {
    case 'reverted':
      return `revert ${reply.data}`
    case 'rejected':
      return reply.class
    case 'unsupported':
      return reply.why
    case 'fault':
      return reply.fault
    default:
      return reply.kind
  }
}

describe('unknown errors', () => {
  test.each([
    ['the hamster has left its wheel', -32000],
    ['', -32000],
    ['Internal error', -32603],
    ['internal server error', 500],
    ['execution aborted (timeout = 5s)', -32000],
    ['Block', 0],
  ])('is a fault: %j', (message, code) => {
    expect(word(say(reads, message, code))).toBe('error')
  })

  test.each([
    ['bn256: malformed point', -32000],
    ['execution aborted (timeout = 5s)', -32000],
    ['the hamster has left its wheel', -32603],
  ])('but no fault for work that the caller chose, who may have caused it: %j', (message, code) => {
    for (const context of [calls, callsWithGas, sends, proofs])
      expect(say(context, message, code)).toEqual({ kind: 'unsupported', why: 'execution' })
  })

  test.each([
    ['request timed out', -32002, 'size'],
    ['Request timeout on the free tier, please upgrade', 30, 'size'],
    ['context deadline exceeded', -32000, 'size'],
    ['response is too big', -32008, 'size'],
    ['logs matched by query exceeds limit of 10000', -32005, 'size'],
    ['You may have exceeded the maximum number of logs', -32000, 'size'],
    ['the block range is too wide', -32000, 'range'],
  ])('of a range may be split, and is never a fault: %j', (message, code, why) => {
    expect(say(logs, message, code)).toEqual({ kind: 'unsupported', why })
  })

  test.each([
    ['no response', -32000],
    ['the hamster has left its wheel', -32099],
  ])('of a range that says nothing that we know is split once: %j', (message, code) => {
    expect(say(logs, message, code)).toEqual({ kind: 'unsupported', why: 'size', isGuess: true })
  })

  test.each([
    'unknown transaction type: 4',
    'Unknown transaction type',
    'a transaction with the same nonce already exists',
  ])('is not "already known": %j', (message) => {
    expect(word(say(sends, message))).toBe('execution')
  })

  test('gas that the sender cannot pay for means insufficient funds; another cap is compared by its number', () => {
    expect(word(say(calls, 'gas required exceeds allowance (0)'))).toBe('insufficient-funds')
    expect(word(say(calls, 'gas required exceeds allowance (50000000)'))).toBe('gas-allowance 50000000')
  })

  test('a revert from a method that runs no code', () => {
    expect(word(say(reads, 'execution reverted', 3, '0xaa'))).toBe('error')
  })

  test('a refusal from a method that neither runs code nor sends', () => {
    expect(word(say(reads, 'insufficient funds for gas * price + value'))).toBe('error')
  })
})

describe('reverts, grouped by their data', () => {
  const data = '0x08c379a0AA'
  test.each<[string, number, string, unknown, string]>([
    ['geth, reth, erigon', 3, 'execution reverted: no', data, data.toLowerCase()],
    ['geth, no data', 3, 'execution reverted', undefined, '0x'],
    ['geth, empty data', 3, 'execution reverted', '0x', '0x'],
    ['besu', -32000, 'Execution reverted', data, data.toLowerCase()],
    ['nethermind', -32015, 'VM execution error.', `Reverted ${data}`, data.toLowerCase()],
    ['nethermind, no data', -32015, 'VM execution error.', 'reverted', '0x'],
    ['openethereum', -32015, 'VM execution error.', 'Reverted 0x', '0x'],
    ['anvil', 3, 'execution reverted: custom error 0x01', data, data.toLowerCase()],
    [
      'hardhat',
      -32603,
      'VM Exception while processing transaction: reverted with reason',
      { data, message: 'x' },
      data.toLowerCase(),
    ],
    [
      'ganache',
      -32000,
      'VM Exception while processing transaction: revert',
      { '0xab': {}, stack: 'x' },
      '0x',
    ],
    [
      'metamask’s wrapping',
      -32603,
      'Internal JSON-RPC error: execution reverted',
      { originalError: { code: 3, data } },
      data.toLowerCase(),
    ],
    ['malformed data', 3, 'execution reverted', 'Reverted 0xabc', '0x'],
    ['data that is a number', 3, 'execution reverted', 7, '0x'],
  ])('%s', (_, code, message, given, expected) => {
    expect(say(calls, message, code, given)).toEqual({ kind: 'reverted', data: expected })
  })
})

describe('refusals, by class', () => {
  const wordings: Readonly<Record<string, readonly (readonly [string, string, number?])[]>> = {
    'insufficient-funds': [
      ['geth', 'insufficient funds for gas * price + value: address 0xab have 0 want 21000'],
      ['geth pool', 'insufficient funds for gas * price + value: balance 0, tx cost 21000, overshot 21000'],
      [
        'geth call',
        'err: insufficient funds for gas * price + value: address 0xab have 0 want 1 (supplied gas 30000000)',
      ],
      ['geth, bor, nitro', 'insufficient funds for transfer'],
      ['geth vm', 'insufficient balance for transfer'],
      ['reth', 'insufficient funds for gas * price + value: have 0 want 1', -32003],
      ['anvil', 'Insufficient funds for gas * price + value', -32003],
      ['nethermind', 'insufficient sender balance', -32015],
      ['nethermind 1559', 'err: insufficient MaxFeePerGas for sender balance (supplied gas 0)', -32015],
      ['nethermind pool', 'InsufficientFunds, Account balance: 0, cumulative cost: 21000', -32010],
      ['besu', 'Upfront cost exceeds account balance', -32004],
      [
        'besu, in full',
        'transaction up-front cost 0x5208 exceeds transaction sender account balance 0x0',
        -32004,
      ],
      [
        'openethereum',
        'Insufficient funds. The account you tried to send transaction from does not have enough funds.',
        -32010,
      ],
    ],
    'nonce-too-low': [
      ['geth', 'nonce too low: next nonce 5, tx nonce 3'],
      ['geth call', 'nonce too low: address 0xab, tx: 3 state: 5'],
      ['besu', 'Nonce too low', -32001],
      ['nethermind', 'OldNonce, Current nonce: 5, nonce of rejected tx: 3.', -32010],
      ['openethereum', 'Transaction nonce is too low. Try incrementing the nonce.', -32010],
      ['hardhat', 'Nonce too low. Expected nonce to be 5 but got 3.'],
    ],
    'replacement-underpriced': [
      ['geth, erigon, reth', 'replacement transaction underpriced'],
      ['geth, in full', 'replacement transaction underpriced: new tx gas fee cap 1 < 2 queued'],
      ['besu', 'Replacement transaction underpriced'],
      ['erigon', 'INTERNAL_ERROR: could not replace existing tx'],
      ['nethermind', 'ReplacementNotAllowed', -32010],
      ['anvil', 'Tx: [0xab] insufficient gas price to replace existing transaction', -32003],
      [
        'openethereum',
        'Transaction gas price is too low. There is another transaction with same nonce in the queue.',
        -32010,
      ],
    ],
    'fee-too-low': [
      ['geth', 'max fee per gas less than block base fee: address 0xab, maxFeePerGas: 1, baseFee: 7'],
      ['reth, anvil', 'max fee per gas less than block base fee'],
      ['besu', 'Gas price below current base fee', -32009],
      ['geth pool', 'transaction underpriced: tip needed 1, tip permitted 0'],
      ['erigon', 'fee too low'],
      ['nethermind', 'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 7', -32010],
    ],
    'intrinsic-gas-too-low': [
      ['geth pool', 'intrinsic gas too low: gas 1, minimum needed 21000'],
      ['geth call', 'err: intrinsic gas too low: have 1, want 21000 (supplied gas 1)'],
      ['besu', 'Intrinsic gas exceeds gas limit', -32003],
      ['nethermind', 'gas limit below intrinsic gas', -32015],
      [
        'openethereum',
        'Transaction gas is too low. There is not enough gas to cover minimal cost of the transaction',
        -32010,
      ],
    ],
    'exceeds-block-gas-limit': [
      ['geth', 'exceeds block gas limit'],
      ['besu', 'Transaction gas limit exceeds block gas limit', -32005],
      ['erigon', 'gas limit is too high'],
      ['nethermind', 'GasLimitExceeded, Gas limit: 30000000, gas limit of rejected tx: 40000000', -32010],
      ['nethermind call', 'Block gas limit exceeded', -32015],
      ['reth', 'intrinsic gas too high', -32000],
      ['anvil', 'Transaction gas limit is greater than the block gas limit, gas_limit: 2, cap: 1', -32003],
    ],
  }
  for (const [refusal, rows] of Object.entries(wordings))
    test.each(rows.map(([client, message, code = -32000]) => [client, message, code] as const))(
      `${refusal}: %s`,
      (_, message, code) => {
        expect(word(say(sends, message, code))).toBe(refusal)
        expect(word(say(calls, message, code))).toBe(refusal)
      },
    )
})

describe('EVM halts', () => {
  test.each([
    ['geth', 'invalid opcode: INVALID'],
    ['geth, unknown code', 'invalid opcode: opcode 0x0c not defined'],
    ['geth stack', 'stack underflow (0 <=> 2)'],
    ['geth stack limit', 'stack limit reached 1024 (1023)'],
    ['geth jump', 'invalid jump destination'],
    ['geth static', 'write protection'],
    ['geth returndata', 'return data out of bounds'],
    ['geth collision', 'contract address collision'],
    ['geth code', 'max code size exceeded'],
    ['geth initcode', 'max initcode size exceeded: code size 50000 limit 49152'],
    ['geth 0xef', 'invalid code: must not begin with 0xef'],
    ['reth', 'EVM error: InvalidJump'],
    ['reth opcode', 'EVM error: OpcodeNotFound'],
    ['reth invalid', 'EVM error: InvalidFEOpcode'],
    ['reth stack', 'EVM error: StackUnderflow'],
    ['anvil', 'EVM error InvalidFEOpcode'],
    ['nethermind', 'err: InvalidJumpDestination (supplied gas 100000)'],
    ['nethermind opcode', 'err: BadInstruction (supplied gas 100000)'],
    ['hardhat', 'VM Exception while processing transaction: invalid opcode'],
  ])('%s', (_, message) => {
    expect(word(say(calls, message))).toBe('vm-halt')
    expect(word(say(reads, message))).toBe('error')
  })

  test.each([
    ['geth', 'out of gas'],
    ['geth overflow', 'gas uint64 overflow'],
    ['reth memory', 'out of gas: gas exhausted during memory expansion: 50000'],
    ['anvil', 'EVM error OutOfGas'],
    ['nethermind', 'err: OutOfGas (supplied gas 50000)'],
  ])('out of gas, with gas from the caller: %s', (_, message) => {
    expect(word(say(callsWithGas, message))).toBe('vm-halt')
    expect(word(say(calls, message))).toBe('execution')
  })
})

describe('a transaction that is known', () => {
  test.each([
    ['geth, reth, erigon, bor', 'already known'],
    ['old geth', 'known transaction: ab01'],
    ['besu', 'Known transaction'],
    ['nethermind', 'AlreadyKnown'],
    ['anvil', 'Tx: [0xab] already Imported'],
    ['openethereum', 'Transaction with the same hash was already imported.'],
    ['a pool', 'tx already in mempool'],
  ])('%s', (_, message) => {
    expect(say(sends, message)).toEqual({ kind: 'known' })
    expect(say(reads, message).kind).toBe('fault')
  })
})

describe('what is not a verdict', () => {
  const rows: readonly (readonly [string, string, number, ErrorContext, string])[] = [
    ['geth', 'header not found', -32000, reads, 'behind'],
    ['besu', 'Unknown block', -39001, reads, 'behind'],
    ['besu', 'Block not found', -32000, reads, 'behind'],
    ['erigon', 'block not found: 12345', -32000, reads, 'behind'],
    ['reth', 'block not found: 0xbc614e', -32001, reads, 'behind'],
    ['nethermind', '4294967295 could not be found', -32000, calls, 'behind'],
    ['anvil', 'BlockOutOfRangeError: block height is 10 but requested was 20', -32602, reads, 'behind'],
    ['anvil fees', 'could not find newest block number requested: 20', -32000, reads, 'behind'],
    ['geth logs', 'block range extends beyond current head block', -32602, logs, 'behind'],
    ['erpc', 'upstream does not have the requested block yet', -32603, reads, 'behind'],
    [
      'drpc',
      'block not available: block not found for eth_getLogs, requested toBlock 9 is not yet available on the node',
      -32014,
      logs,
      'behind',
    ],
    ['geth', 'missing trie node 0f01 (path ) state 0xab is not available', -32000, calls, 'pruned'],
    ['geth path scheme', 'historical state 0xab is not available', -32000, calls, 'pruned'],
    ['geth reexec', 'required historical state unavailable (reexec=128)', -32000, calls, 'pruned'],
    ['erigon', 'old data not available due to pruning', -32000, reads, 'pruned'],
    ['nethermind', 'No state available for block 0xab', -32002, calls, 'pruned'],
    ['besu', 'World state unavailable', -32000, reads, 'pruned'],
    ['reth', 'pruned history unavailable', 4444, reads, 'pruned'],
    ['reth proofs', 'distance to target block exceeds maximum proof window', -32602, reads, 'pruned'],
    ['anvil', 'Required data unavailable', -32000, reads, 'pruned'],
    ['infura', 'project ID does not have access to archive state', -32002, reads, 'pruned'],
    [
      'infura',
      'query returned more than 10000 results. Try with this block range [0x1, 0x2].',
      -32005,
      logs,
      'size',
    ],
    ['infura range', 'range 1000000 exceeds limit of 10000', -32602, logs, 'range'],
    [
      'alchemy',
      'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range',
      -32602,
      logs,
      'size',
    ],
    ['alchemy', 'Query timeout exceeded. Consider reducing your block range.', -32000, logs, 'size'],
    ['alchemy', 'You can make eth_getLogs requests with up to a 500 block range.', -32600, logs, 'range'],
    ['quicknode', 'eth_getLogs is limited to a 10,000 range', -32614, logs, 'range'],
    ['drpc', 'ranges over 10000 blocks are not supported on freetier', 35, logs, 'range'],
    ['bor, bsc', 'exceed maximum block range: 50000', -32000, logs, 'range'],
    ['besu', 'Requested range exceeds maximum RPC range limit', -32005, logs, 'range'],
    ['reth', 'query exceeds max results 20000, retry with the range 1-2', -32602, logs, 'size'],
    ['reth', 'query exceeds max block range 100000', -32602, logs, 'range'],
    ['avalanche', 'requested too many blocks from 1 to 9999, maximum is set to 1024', -32000, logs, 'range'],
    ['frontier', 'block range is too wide (maximum 1024)', -32603, logs, 'range'],
    ['geth', 'the method eth_getProof does not exist/is not available', -32601, reads, 'method'],
    ['besu', 'Method not enabled', -32604, reads, 'method'],
    [
      'alchemy',
      'Unsupported method: eth_getProof. See available methods at https://docs.alchemy.com',
      -32600,
      reads,
      'method',
    ],
    ['ankr', 'method is not whitelisted', -32075, reads, 'method'],
    ['EIP-1474', 'method not supported', -32004, reads, 'method'],
    ['besu', 'Unauthorized', -40100, reads, 'unauthorized'],
    ['alchemy', 'Must be authenticated!', -32600, reads, 'unauthorized'],
    ['polygon-rpc.com', 'tenant disabled', -32000, reads, 'unauthorized'],
    ['cloudflare', 'Cannot fulfill request', -32046, reads, 'unauthorized'],
    [
      'geth',
      'invalid argument 0: hex string has length 38, want 40 for common.Address',
      -32602,
      reads,
      'params',
    ],
    ['infura', 'daily request count exceeded, request rate limited', -32005, logs, 'rate-limited'],
    ['a limit without details', 'limit exceeded', -32005, reads, 'rate-limited'],
    ['a limit without details, on a range', 'limit exceeded', -32005, logs, 'size'],
    ['alchemy', 'Your app has exceeded its compute units per second capacity.', 429, logs, 'rate-limited'],
    ['quicknode', '50/second request limit reached - reduce calls per second', -32007, reads, 'rate-limited'],
    ['drpc', 'Too many request, try again later', -32000, reads, 'rate-limited'],
    [
      'chainstack',
      'You’ve exceeded the RPS limit available on the current plan.',
      -32005,
      reads,
      'rate-limited',
    ],
    ['alchemy', 'Monthly capacity limit exceeded.', 429, reads, 'rate-limited'],
    ['nethermind', 'Module concurrent calls limit exceeded', -32005, reads, 'rate-limited'],
  ]
  test.each(rows)('%s: %s (%d)', (_, message, code, context, expected) => {
    expect(word(say(context, message, code))).toBe(expected)
  })
})

describe('a message crafted to be slow', () => {
  const parts = [
    'a',
    ' ',
    'block ',
    'max fee per gas ',
    'less base fee ',
    'method ',
    'state ',
    'gas price ',
    'exceeds the ',
    'opcode ',
    'too ',
    '(',
    '0x',
    'retry in ',
    'priority fee ',
    'range ',
    '1,',
    '[0x1,',
    '0 - ',
    'exceeds max ',
    'returned result ',
  ]
  test.each(parts)('is classified by its beginning: %j', (part) => {
    const message = part.repeat(100_000 / part.length)
    const startMs = performance.now()
    for (const context of [calls, callsWithGas, sends, logs, reads]) say(context, message, -32000, message)
    expect(performance.now() - startMs).toBeLessThan(hangMs)
  })

  test('and deeply nested data is not followed', () => {
    let data: unknown = '0xaa'
    for (let depth = 0; depth < 10_000; depth++) data = { data, originalError: data }
    expect(say(calls, 'execution reverted', 3, data)).toEqual({ kind: 'reverted', data: '0x' })
  })
})

test('no text of a node is returned', () => {
  const canary = 'canary <script>'
  for (const context of [calls, sends, reads, logs])
    for (const message of ['execution reverted', 'insufficient funds', 'header not found', 'pruned', 'x'])
      expect(JSON.stringify(say(context, `${message} ${canary}`, 3, canary))).not.toContain('canary')
})
