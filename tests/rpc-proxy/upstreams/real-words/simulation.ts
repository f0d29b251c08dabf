import type { Row } from './row.ts'

const named: readonly (readonly [code: number, refusal: string, message: string])[] = [
  [-38010, 'nonce-too-low', 'nonce too low: address 0xab, tx: 0 state: 1'],
  [-38011, 'nonce-too-high', 'nonce too high: address 0xab, tx: 9 state: 1'],
  [-38012, 'fee-too-low', 'max fee per gas less than block base fee'],
  [-38013, 'intrinsic-gas-too-low', 'intrinsic gas too low: have 1, want 21000'],
  [-38014, 'insufficient-funds', 'insufficient funds for gas * price + value'],
  [-38015, 'exceeds-block-gas-limit', 'block gas limit reached: remaining: 1, required: 2'],
  [-38020, 'block-number-order', 'block numbers must be in order: 2 <= 3'],
  [-38021, 'block-timestamp-order', 'block timestamps must be in order: 2 <= 3'],
  [-38022, 'precompile-moved-to-itself', 'account 0x01 referenced itself in replacement'],
  [-38023, 'precompile-moved-twice', 'account 0x01 has been moved already'],
  [-38024, 'sender-not-eoa', 'sender not an eoa'],
  [-38025, 'initcode-too-large', 'max initcode size exceeded'],
]

/** Simulation, access lists and fees. */
export const simulationRows: readonly Row[] = [
  ...named.flatMap(([code, refusal, message]): readonly Row[] => [
    { who: 'by the specification', requests: ['simulate'], code, message, wanted: `refusal:${refusal}` },
    { who: 'in other words', requests: ['simulate'], code, message: 'no', wanted: `refusal:${refusal}` },
  ]),
  ...named.slice(0, 6).map(
    ([, refusal, message]): Row => ({
      who: 'with the code of hive’s fixtures',
      requests: ['simulate'],
      code: -32602,
      message,
      wanted: `refusal:${refusal}`,
    }),
  ),
  ...['too many blocks', 'Client adjustable limit reached'].map(
    (message): Row => ({ who: 'any', requests: ['simulate'], code: -38026, message, wanted: 'cannot:size' }),
  ),
  { who: 'besu', requests: ['simulate'], code: -32602, message: 'Invalid params', wanted: 'cannot:params' },
  {
    who: 'geth, an access list',
    requests: ['estimate'],
    code: -32000,
    message: 'failed to apply transaction: 0xab err: nonce too low: address 0xab, tx: 0 state: 1',
    wanted: 'refusal:nonce-too-low',
  },
  {
    who: 'geth, a creation without data',
    requests: ['simulate'],
    code: -32000,
    message: 'contract creation without any data provided',
    wanted: 'refusal:creation-without-data',
  },
]
