import type { Asked, Row } from './row.ts'

const runs = ['call', 'estimate'] as const
const boom =
  '0x08c379a000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000004626f6f6d00000000000000000000000000000000000000000000000000000000'
const custom = '0x7a933234'

const reverts: readonly Omit<Row, 'requests' | 'wanted'>[] = [
  ...['geth', 'reth', 'bor', 'nitro', 'erigon', 'anvil'].map((who) => ({
    who,
    code: 3,
    message: 'execution reverted: boom',
    data: boom,
  })),
  { who: 'besu', code: 3, message: 'Execution reverted', data: boom },
  { who: 'nethermind', code: 3, message: 'execution reverted: boom', data: boom },
  { who: 'nethermind before 2026', code: -32015, message: 'VM execution error.', data: `Reverted ${boom}` },
  { who: 'nethermind, parity', code: -32015, message: 'VM execution error.', data: boom },
  {
    who: 'ganache 6',
    code: -32000,
    message: 'VM Exception while processing transaction: revert boom',
    data: {
      [`0x${'ab'.repeat(32)}`]: { error: 'reverted', program_counter: 1, return: boom, reason: 'boom' },
      stack: 's',
      name: 'RuntimeError',
    },
  },
]

const emptyReverts: readonly Omit<Row, 'requests' | 'wanted'>[] = [
  { who: 'geth', code: 3, message: 'execution reverted', data: '0x' },
  { who: 'reth', code: 3, message: 'execution reverted' },
  { who: 'older geth', code: -32000, message: 'execution reverted' },
  { who: 'nethermind', code: 3, message: 'execution reverted', data: null },
  { who: 'others', code: -32000, message: 'VM execution error' },
  { who: 'nethermind', code: -32015, message: 'VM execution error.' },
]

const halts: readonly (readonly [string, number, string, unknown?])[] = [
  ['geth', -32000, 'invalid opcode: INVALID'],
  ['geth', -32000, 'invalid opcode: opcode 0x0c not defined'],
  ['geth', -32000, 'stack underflow (0 <=> 2)'],
  ['geth', -32000, 'invalid jump destination'],
  ['geth', -32000, 'max call depth exceeded'],
  ['besu', -32000, 'Transaction processing could not be completed due to an exception'],
  ['reth', -32003, 'EVM error: InvalidJump'],
  ['reth', -32003, 'EVM error: CallTooDeep'],
  ['reth', -32003, 'EVM error: CreateContractSizeLimit'],
  ['parity', -32015, 'VM execution error.', 'Bad instruction fd'],
]

const outOfGas: readonly (readonly [string, number, string])[] = [
  ['geth', -32000, 'out of gas'],
  ['reth', -32003, 'out of gas: gas required exceeds: 30000000'],
  ['reth', -32003, 'EVM error: OutOfGas(Basic)'],
  ['nethermind', -32015, 'err: OutOfGas (supplied gas 30000000)'],
]

const row = (requests: readonly Asked[], wanted: string) => (given: Omit<Row, 'requests' | 'wanted'>) => ({
  ...given,
  requests,
  wanted,
})

/** Reverts and halts. */
export const executionRows: readonly Row[] = [
  ...reverts.map(row(runs, `revert ${boom}`)),
  ...emptyReverts.map(row(runs, 'revert 0x')),
  {
    who: 'nethermind, a custom error',
    requests: runs,
    code: -32015,
    message: 'VM execution error.',
    data: `Reverted ${custom}`,
    wanted: `revert ${custom}`,
  },
  {
    who: 'hardhat 3',
    requests: runs,
    code: -32603,
    message: 'Internal error',
    data: { message: 'VM Exception while processing transaction: reverted with reason string "boom"' },
    wanted: 'cannot:execution',
  },
  // Contracts may return such bytes, so this stays a result.
  {
    who: 'ganache',
    requests: ['call'],
    body: `{"jsonrpc":"2.0","id":ID,"result":"${custom}"}`,
    wanted: 'result',
  },
  ...halts.map(([who, code, message, data]) => row(runs, 'refusal:vm-halt')({ who, code, message, data })),
  ...outOfGas.map(([who, code, message]) => row(['call'], 'refusal:vm-halt')({ who, code, message })),
  ...outOfGas.map(([who, code, message]) => {
    const named = /exceeds: (\d+)/.exec(message)?.[1]
    const wanted = named === undefined ? 'cannot:execution' : `refusal:gas-allowance ${named}`
    return row(['estimate'], wanted)({ who, code, message })
  }),
  {
    who: 'geth',
    requests: ['estimate'],
    code: -32000,
    message: 'gas required exceeds allowance (50000000)',
    wanted: 'refusal:gas-allowance 50000000',
  },
  {
    who: 'geth',
    requests: ['estimate', 'call'],
    code: -32000,
    message: 'gas required exceeds allowance (0)',
    wanted: 'refusal:insufficient-funds',
  },
  {
    who: 'geth',
    requests: runs,
    code: -32000,
    message: 'execution aborted (timeout = 5s)',
    wanted: 'cannot:execution',
  },
  {
    who: 'erigon, bor',
    requests: runs,
    code: -32000,
    message: 'call returned result on length 120000 exceeding --rpc.returndata.limit 100000',
    wanted: 'cannot:size',
  },
]
