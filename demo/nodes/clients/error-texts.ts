import type { Client } from './reply-format.ts'

/** A JSON-RPC error object. */
export interface ClientRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** Why a node cannot answer. `block` is the requested number or hash. */
export type ClientError =
  | { readonly kind: 'no-method'; readonly method: string }
  | { readonly kind: 'unknown-block'; readonly block: string; readonly method: string }
  | { readonly kind: 'beyond-head'; readonly block: number; readonly head: number; readonly method: string }
  | { readonly kind: 'pruned'; readonly block: number; readonly method: string }
  | { readonly kind: 'reverted'; readonly reason: string | null; readonly data: string }
  | { readonly kind: 'out-of-gas'; readonly gas: number; readonly method: string }
  | { readonly kind: 'halted' }
  | { readonly kind: 'nonce-too-low'; readonly sent: number; readonly state: number }
  | { readonly kind: 'nonce-too-high'; readonly sent: number; readonly state: number }
  | { readonly kind: 'already-known' }
  | { readonly kind: 'insufficient-funds' }
  | { readonly kind: 'intrinsic-gas' }
  | { readonly kind: 'fee-too-low' }
  | { readonly kind: 'replacement-underpriced' }

type Words<Kind extends ClientError['kind']> = (
  nodeError: Extract<ClientError, { kind: Kind }>,
) => ClientRpcError
type Vocabulary = { readonly [Kind in ClientError['kind']]: Words<Kind> }

const plain = (code: number, message: string) => (): ClientRpcError => ({ code, message })
const hex = (number: number) => `0x${number.toString(16)}`

/** The same for all clients since execution-apis #875. */
const rangeBeyond = (block: number, head: number): ClientRpcError => ({
  code: -32602,
  message: `block range extends beyond current head block: requested ${block}, head ${head}`,
})

/** The messages of geth. Its forks use mostly the same. Source: internal/ethapi, core/error.go. */
const geth: Vocabulary = {
  'no-method': ({ method }) => ({
    code: -32601,
    message: `the method ${method} does not exist/is not available`,
  }),
  'unknown-block': ({ method }) =>
    method === 'eth_getLogs'
      ? { code: -32000, message: 'unknown block' }
      : { code: -32000, message: 'header not found' },
  'beyond-head': ({ method, block, head }) => {
    if (method === 'eth_getLogs') return rangeBeyond(block, head)
    if (method === 'eth_feeHistory')
      return { code: -32000, message: `request beyond head block: requested ${block}, head ${head}` }
    return { code: -32000, message: 'header not found' }
  },
  pruned: ({ block }) => ({
    code: -32000,
    message: `historical state ${hex(block).padEnd(66, '5')} is not available`,
  }),
  reverted: ({ reason, data }) => ({
    code: 3,
    message: reason === null ? 'execution reverted' : `execution reverted: ${reason}`,
    data,
  }),
  'out-of-gas': ({ gas, method }) => ({
    code: -32000,
    message: method === 'eth_estimateGas' ? `gas required exceeds allowance (${gas})` : 'out of gas',
  }),
  halted: plain(-32000, 'invalid opcode: INVALID'),
  'nonce-too-low': ({ sent, state }) => ({
    code: -32000,
    message: `nonce too low: next nonce ${state}, tx nonce ${sent}`,
  }),
  'nonce-too-high': plain(-32000, 'nonce too high'),
  'already-known': plain(-32000, 'already known'),
  'insufficient-funds': plain(-32000, 'insufficient funds for gas * price + value: balance 0, tx cost 1'),
  'intrinsic-gas': plain(-32000, 'intrinsic gas too low: gas 20000, minimum needed 21000'),
  'fee-too-low': plain(
    -32000,
    'max fee per gas less than block base fee: maxFeePerGas: 1, baseFee: 1000000000',
  ),
  'replacement-underpriced': plain(-32000, 'replacement transaction underpriced'),
}

/** Polygon. Its pool requires a tip of 25 gwei (cmd/cli, params). */
const bor: Vocabulary = {
  ...geth,
  pruned: ({ block }) => ({
    code: -32000,
    message: `missing trie node ${hex(block).padStart(64, '7')} (path ) state 0x${'5'.repeat(64)} is not available, not found`,
  }),
  'fee-too-low': plain(
    -32000,
    'transaction gas price below minimum: gas tip cap 1, minimum needed 25000000000',
  ),
}

const erigon: Vocabulary = {
  ...geth,
  'unknown-block': ({ block }) => ({ code: -32000, message: `block ${block} not found` }),
  'beyond-head': (nodeError) =>
    nodeError.method === 'eth_getLogs' || nodeError.method === 'eth_feeHistory'
      ? geth['beyond-head'](nodeError)
      : { code: -32000, message: `block ${nodeError.block} not found` },
  pruned: ({ block }) => ({
    code: -32000,
    message: `old data not available due to pruning: requested block ${block}, history is available from block ${block + 1}`,
  }),
  'already-known': plain(-32000, 'existing txn with same hash'),
  'nonce-too-low': plain(-32000, 'nonce too low'),
  'intrinsic-gas': plain(-32000, 'IntrinsicGas'),
  'fee-too-low': plain(-32000, 'underpriced'),
  'replacement-underpriced': plain(-32000, 'could not replace existing tx'),
}

const nethermind: Vocabulary = {
  'no-method': ({ method }) => ({
    code: -32601,
    message: `Method ${method} is not supported`,
  }),
  'unknown-block': ({ block }) => ({ code: -32001, message: `${block} could not be found` }),
  'beyond-head': ({ method, block, head }) => {
    if (method === 'eth_getLogs') return rangeBeyond(block, head)
    if (method === 'eth_feeHistory')
      return { code: -32001, message: `newestBlock: Block number is out of range` }
    return { code: -32001, message: `${block} could not be found` }
  },
  pruned: ({ block }) => ({ code: -32002, message: `No state available for block ${block} (0x5555…5555)` }),
  reverted: ({ reason, data }) => ({
    code: 3,
    message: reason === null ? 'execution reverted' : `execution reverted: ${reason}`,
    data,
  }),
  'out-of-gas': plain(-32015, 'out of gas'),
  halted: plain(-32015, 'BadInstruction'),
  'nonce-too-low': ({ sent, state }) => ({
    code: -32000,
    message: `OldNonce, Current nonce: ${state}, nonce of rejected tx: ${sent}.`,
  }),
  'nonce-too-high': plain(-32000, 'nonce too far in future'),
  'already-known': plain(-32000, 'AlreadyKnown'),
  'insufficient-funds': plain(-32000, 'InsufficientFunds, Account balance: 0, cumulative cost: 1'),
  'intrinsic-gas': plain(-32000, 'intrinsic gas too low'),
  'fee-too-low': plain(-32000, 'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 1000000000'),
  'replacement-underpriced': plain(-32000, 'ReplacementNotAllowed'),
}

const besu: Vocabulary = {
  'no-method': plain(-32601, 'Method not found'),
  'unknown-block': plain(-32000, 'Block not found'),
  'beyond-head': ({ method }) =>
    method === 'eth_getLogs'
      ? { code: -32602, message: 'Invalid block number params' }
      : method === 'eth_feeHistory'
        ? { code: -32602, message: 'Invalid block number params' }
        : { code: -32000, message: 'Block not found' },
  pruned: plain(-32000, 'World state unavailable'),
  reverted: ({ reason, data }) => ({
    code: 3,
    message: reason === null ? 'Execution reverted' : `Execution reverted: ${reason}`,
    data,
  }),
  'out-of-gas': plain(-32000, 'Out of gas'),
  halted: plain(-32000, 'Transaction processing could not be completed due to an exception'),
  'nonce-too-low': plain(-32001, 'Nonce too low'),
  'nonce-too-high': plain(-32006, 'Nonce too high'),
  'already-known': plain(-32000, 'Known transaction'),
  'insufficient-funds': plain(-32004, 'Upfront cost exceeds account balance'),
  'intrinsic-gas': plain(-32003, 'Intrinsic gas exceeds gas limit'),
  'fee-too-low': plain(-32009, 'Gas price below configured minimum gas price'),
  'replacement-underpriced': plain(-32000, 'Replacement transaction underpriced'),
}

const reth: Vocabulary = {
  ...geth,
  'no-method': plain(-32601, 'Method not found'),
  'unknown-block': ({ block }) => ({ code: -32001, message: `block not found: ${block}` }),
  'beyond-head': ({ method, block, head }) =>
    method === 'eth_getLogs'
      ? rangeBeyond(block, head)
      : method === 'eth_feeHistory'
        ? { code: -32602, message: `request beyond head block: requested ${block}, head ${head}` }
        : { code: -32001, message: `block not found: ${hex(block)}` },
  pruned: ({ block }) => ({ code: -32603, message: `state at block #${block} is pruned` }),
  'out-of-gas': ({ gas }) => ({ code: -32003, message: `out of gas: gas required exceeds: ${gas}` }),
  halted: plain(-32003, 'EVM error: InvalidFEOpcode'),
  'nonce-too-low': ({ sent, state }) => ({
    code: -32003,
    message: `nonce too low: next nonce ${state}, tx nonce ${sent}`,
  }),
  'insufficient-funds': plain(
    -32003,
    'insufficient funds for gas * price + value: have 0 want 21000000000000',
  ),
  'intrinsic-gas': plain(-32003, 'intrinsic gas too low'),
  'fee-too-low': plain(-32003, 'max fee per gas less than block base fee'),
}

/** Arbitrum. A single sequencer, which holds a transaction with a future nonce for a second. */
const nitro: Vocabulary = {
  ...geth,
  'nonce-too-high': ({ sent, state }) => ({
    code: -32000,
    message: `nonce too high: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, tx: ${sent} state: ${state}`,
  }),
  'already-known': plain(
    -32000,
    'nonce too low: address 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, tx: 6 state: 7',
  ),
}

const vocabularies: Readonly<Record<Client, Vocabulary>> = {
  geth,
  bor,
  erigon,
  nethermind,
  besu,
  reth,
  nitro,
}

/**
 * The error of this client: code, message and data, from its sources or captured from public nodes (listed in
 * docs/nodes.md).
 */
export function wordsOf<Kind extends ClientError['kind']>(
  client: Client,
  nodeError: Extract<ClientError, { kind: Kind }>,
): ClientRpcError {
  return (vocabularies[client][nodeError.kind as Kind] as Words<Kind>)(nodeError)
}
