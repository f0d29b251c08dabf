import type { Row } from './row.ts'

type Said = readonly [who: string, code: number, message: string]

const wordings: Readonly<Record<string, readonly Said[]>> = {
  known: [
    ['geth, bor, reth, nethermind', -32000, 'already known'],
    ['besu', -32000, 'Known transaction'],
    ['erigon', -32000, 'existing txn with same hash'],
  ],
  'refusal:nonce-too-low': [
    ['geth', -32000, 'nonce too low: next nonce 5, tx nonce 3'],
    ['besu', -32001, 'Nonce too low'],
    ['reth', -32003, 'nonce too low: next nonce 5, tx nonce 3'],
    // A lookup decides whether it is the same transaction.
    ['erigon', -32000, 'mined'],
  ],
  'refusal:nonce-too-high': [
    ['nitro', -32000, `nonce too high: address 0x${'ab'.repeat(20)}, tx: 7 state: 5`],
    ['besu', -32006, 'Nonce too high'],
    ['nethermind', -32000, 'nonce too far in future'],
    ['nethermind', -32000, 'NonceGap, Future nonce. Expected nonce: 5'],
    ['geth, blobs', -32000, 'gapped nonce: tx nonce 7, gapped nonce 5'],
  ],
  'refusal:fee-too-low': [
    ['geth, bor', -32000, 'transaction gas price below minimum: gas tip cap 1, minimum needed 25000000000'],
    ['erigon', -32000, 'underpriced'],
    ['besu', -32009, 'Gas price below configured minimum gas price'],
    ['reth', -32003, 'priority fee below minimum required priority fee 1'],
    ['older geth', -32000, 'transaction underpriced'],
    ['geth', -32000, 'max fee per gas less than block base fee: address 0xab, maxFeePerGas: 1, baseFee: 7'],
  ],
  'refusal:replacement-underpriced': [
    ['geth', -32000, 'replacement transaction underpriced: new tx gas fee cap 1 <= 2 queued'],
    ['erigon', -32000, 'could not replace existing tx'],
  ],
  'refusal:insufficient-funds': [
    [
      'geth',
      -32000,
      'insufficient funds for gas * price + value: balance 1, queued cost 2, tx cost 3, overshot 4',
    ],
    ['reth', -32003, 'insufficient funds for gas * price + value: have 1 want 3'],
    ['besu', -32004, 'Upfront cost exceeds account balance'],
  ],
  'refusal:intrinsic-gas-too-low': [
    ['geth', -32000, 'intrinsic gas too low: gas 1, minimum needed 21000'],
    ['besu', -32003, 'Intrinsic gas exceeds gas limit'],
    ['geth', -32000, 'insufficient gas for floor data gas cost: gas 21000, minimum needed 30000'],
    ['erigon', -32000, 'IntrinsicGas'],
  ],
  'refusal:exceeds-block-gas-limit': [
    ['geth', -32000, 'transaction gas limit too high (cap: 16777216, tx: 30000000)'],
    ['reth', -32003, 'exceeds max transaction gas limit'],
    ['besu', -32005, 'Transaction gas limit cap exceeded'],
    ['geth', -32000, 'exceeds block gas limit'],
    ['nethermind', -32000, 'gas limit reached'],
  ],
  'refusal:oversized': [
    ['geth, reth', -32000, 'oversized data: transaction size 140000, limit 131072'],
    ['nethermind', -32000, 'transaction too large'],
    ['nitro', -32000, 'l2message too long'],
  ],
  'refusal:initcode-too-large': [
    ['geth, reth', -32000, 'max initcode size exceeded: code size 50000, limit 49152'],
    ['erigon', -32000, 'initcode too large'],
  ],
  'refusal:type-not-supported': [
    ['geth', -32000, 'transaction type not supported'],
    ['erigon', -32000, 'fork supporting this transaction type is not activated yet'],
    ['nethermind', -32000, 'unsupported transaction type'],
    ['besu', -32602, 'Invalid transaction type'],
  ],
  'refusal:tip-above-fee-cap': [
    [
      'geth, reth',
      -32000,
      'max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas: 2, maxFeePerGas: 1',
    ],
    ['besu', -32602, 'max priority fee per gas cannot be greater than max fee per gas'],
    ['erigon', -32000, 'tip higher than fee cap'],
  ],
  // The state of one node's pool is no vote.
  'cannot:execution': [
    ['geth', -32000, 'tx fee (1.50 ether) exceeds the configured cap (1.00 ether)'],
    ['geth, reth', -32000, 'txpool is full'],
    ['geth', -32000, 'address already reserved'],
    ['geth', -32000, 'in-flight transaction limit reached for delegated accounts'],
    ['geth', -32000, 'future transaction tries to replace pending'],
    ['besu', -32002, 'Transaction pool not enabled'],
    ['nethermind', -32000, 'node is syncing'],
    ['nitro', -32000, 'context deadline exceeded'],
    ['nitro', -32000, 'sequencer temporarily not available'],
    ['nitro', -32000, 'publishing transactions not supported by this endpoint'],
    [
      'hardhat',
      -32603,
      "VM Exception while processing transaction: reverted with reason string 'nonce too low'",
    ],
  ],
}

/** eth_sendRawTransaction. */
export const transactionRows: readonly Row[] = Object.entries(wordings).flatMap(([wanted, text]) =>
  text.map(([who, code, message]): Row => ({ who, requests: ['send'], code, message, wanted })),
)
