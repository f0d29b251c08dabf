import type { Difference, Step } from './steps.ts'

interface Explanation {
  readonly steps: readonly string[]
  /** The parts of an answer that may differ; all by default. */
  readonly path?: RegExp
  /** Text that the gateway's result must contain as JSON, so that a row explains only one kind of answer. */
  readonly gateway?: RegExp
  readonly why: string
}

/** Expected differences between gateway and chain, by their names on the page. Any other difference is a failure. */
export const explanations: Readonly<Record<string, Explanation>> = {
  reverts: {
    steps: ['callPanics', 'callCustomError'],
    gateway: /revert|division/i,
    why: 'anvil writes `panic: … (0x12)` and `custom error 0x…` into the message. The gateway writes what geth writes; code and data are the same.',
  },
  allowance: {
    steps: ['estimateOutOfGas'],
    gateway: /gas required exceeds allowance \(\d+\)/,
    why: 'geth’s words and code (-32000 `gas required exceeds allowance (N)`) in place of anvil’s.',
  },
  'state above the head': {
    steps: ['stateAboveHead'],
    gateway: /header not found/,
    why: '-32001 `header not found` in place of anvil’s -32602 `BlockOutOfRangeError`. geth says the same words, at which alloy (cast) asks again for some seconds.',
  },
  'unknown method': {
    steps: ['unknownMethod'],
    gateway: /does not exist/,
    why: '-32601 in geth’s words in place of anvil’s `Method not found`.',
  },
  'too little money': {
    steps: ['sendTooPoor'],
    gateway: /insufficient funds/i,
    why: 'geth’s spelling.',
  },
  'logs beyond the head': {
    steps: ['logsBeyondHead'],
    gateway: /block range extends beyond current head block/,
    why: '-32602 with the head’s number, as geth, Nethermind, Besu, Erigon and reth say. anvil answers the logs up to its head.',
  },
  'inverted range': {
    steps: ['logsInverted'],
    gateway: /invalid block range/,
    why: '-32602 `invalid block range params`, as geth says. anvil answers no logs.',
  },
  'fee history': {
    steps: ['feeHistory'],
    path: /gasUsedRatio|base_?fee(PerGas)?\.4$/i,
    why: 'Ratios are agreed on, and told, to six places. The last base fee is that of the block after those asked; anvil tells its own next block’s, whatever was asked.',
  },
  'long fee history': {
    steps: ['feeHistoryLong'],
    gateway: /from 1 to 1024/,
    why: 'More than 1,024 blocks are refused with -32602. anvil answers those that it has, geth the last 1,024.',
  },
  'unknown block hash': {
    steps: ['logsUnknownBlock'],
    gateway: /header not found/,
    why: '-32001 `header not found`. anvil and geth say -32000 `unknown block`.',
  },
  peers: {
    steps: ['peerCount'],
    gateway: /"value":"?(0x)?3\b/,
    why: 'The number of nodes. anvil has no such method.',
  },
  accounts: {
    steps: ['accounts'],
    gateway: /\[\]/,
    why: 'The gateway holds no keys. anvil offers its ten.',
  },
  blobs: {
    steps: ['blobTransactionRefused'],
    gateway: /blob transactions are not supported/,
    why: '-32602 `blob transactions are not supported`: blobs are not sent on. Blob transactions can be simulated and estimated.',
  },
}

/** The name of the row that explains a difference; undefined if there is none. */
export function explains({ step, path }: Difference, gateway: Step | undefined): string | undefined {
  const text = JSON.stringify(gateway ?? null)
  return Object.entries(explanations).find(
    ([, row]) =>
      row.steps.includes(step) && (row.path?.test(path) ?? true) && (row.gateway?.test(text) ?? true),
  )?.[0]
}
