import type { Row } from './row.ts'

const state = ['read', 'call', 'proof'] as const
const blocks = ['look', 'read', 'fees'] as const
const root = 'ab'.repeat(32)

interface Wording {
  readonly who: string
  readonly code: number
  readonly message: string
  readonly requests?: Row['requests']
  readonly http?: number
  readonly data?: unknown
}

const pruned: readonly Wording[] = [
  {
    who: 'geth',
    code: -32000,
    message: `missing trie node ${root} (path ) state 0x${root} is not available, not found`,
  },
  { who: 'geth', code: -32000, message: `historical state ${root} is not available` },
  { who: 'geth', code: -32000, message: `state 0x${root} is not available` },
  { who: 'geth', code: -32000, message: "state histories haven't been fully indexed yet" },
  ...['geth', 'reth', 'besu', 'nethermind'].map((who) => ({
    who,
    code: 4444,
    message: 'pruned history unavailable',
  })),
  { who: 'reth', code: -32603, message: 'state at block #100 is pruned' },
  { who: 'reth', code: -32603, message: 'block #100 is not available, history has expired' },
  {
    who: 'reth',
    code: -32602,
    message: 'distance to target block exceeds maximum proof window',
    requests: ['proof'],
  },
  ...[-32002, -32000].map((code) => ({
    who: 'nethermind',
    code,
    message: `No state available for block 0x${root}`,
  })),
  { who: 'besu', code: -32000, message: 'World state unavailable' },
  {
    who: 'erigon',
    code: -32000,
    message:
      'old data not available due to pruning: requested block 100, history is available from block 20000',
  },
  { who: 'nitro', code: -32000, message: 'state recreation l2 gas depth limit exceeded' },
  { who: 'nitro', code: -32000, message: 'Failed to call fallback API' },
  {
    who: 'publicnode',
    code: -32602,
    http: 403,
    message: 'Archive requests require a personal token',
    requests: ['read', 'call', 'logs'],
  },
  {
    who: 'Chainstack',
    code: -32002,
    http: 403,
    message: 'Archive, Debug and Trace requests are not available on your current plan.',
  },
]

const behind: readonly Wording[] = [
  { who: 'geth', code: -32000, message: 'header not found' },
  { who: 'geth', code: -32000, message: 'header for hash not found' },
  { who: 'geth', code: -32000, message: 'hash is not currently canonical' },
  { who: 'geth', code: -32000, message: 'finalized block not found' },
  { who: 'geth', code: -32000, message: 'safe block not found' },
  { who: 'nitro', code: -32000, message: 'block number not supported: object not set' },
  { who: 'geth', code: -32000, message: 'block body not found' },
  { who: 'geth', code: -32000, message: 'header found, but block body is missing' },
  {
    who: 'geth',
    code: -32000,
    message: 'transaction indexing is in progress',
    data: 'transaction indexing is in progress',
    requests: ['hash'],
  },
  {
    who: 'reth',
    code: -32603,
    message: 'state at block #100 is not available, block has not been executed yet',
    requests: state,
  },
  { who: 'reth', code: -32603, message: 'no state found for block 100', requests: state },
  { who: 'reth', code: -32001, message: `block not found: 0x${root}` },
  { who: 'reth', code: -32602, message: 'request beyond head block: requested 1101, head 1100' },
  { who: 'geth', code: -32000, message: 'request beyond head block: requested 1101, head 1100' },
  { who: 'nethermind', code: -32001, message: '1101 could not be found' },
  { who: 'besu', code: -32000, message: 'Block not found' },
  { who: 'besu', code: -32008, message: 'Initial sync is still in progress' },
  { who: 'erigon', code: -32000, message: 'block 1101 not found' },
  { who: 'erigon', code: -32000, message: 'block not found: 1101' },
  { who: 'Arc', code: -32014, message: 'requested data not available' },
  { who: 'Alchemy', code: 3, message: 'Unknown block', requests: ['call', 'estimate'] },
  { who: 'besu', code: -39001, message: 'Unknown block' },
]

/** Unavailable, pruned, not yet known. */
export const availabilityRows: readonly Row[] = [
  ...pruned.map((wording): Row => ({ requests: state, ...wording, wanted: 'cannot:pruned' })),
  ...behind.map((wording): Row => ({ requests: blocks, ...wording, wanted: 'behind' })),
  {
    who: 'publicnode, a bare error',
    requests: ['read', 'call'],
    http: 403,
    body: '{"error":"Archive requests require a personal token. Get one at https://www.allnodes.com"}',
    wanted: 'cannot:pruned',
  },
  {
    who: 'besu, state missing',
    requests: ['read', 'call', 'proof'],
    code: -32603,
    message: 'Internal error',
    wanted: 'cannot:execution',
  },
  { who: 'besu', requests: ['look', 'hash'], code: -32603, message: 'Internal error', wanted: 'fault:error' },
  {
    who: 'erigon',
    requests: ['hash', 'logs'],
    code: -32000,
    message: 'block has less receipts than expected: 0 < 1, block 100',
    wanted: 'cannot:execution',
  },
  {
    who: 'bor',
    requests: ['hash', 'logs'],
    code: -32000,
    message: 'receipts length mismatch: 1 vs 0',
    wanted: 'cannot:execution',
  },
]
