/**
 * One kind of error, recognised by a code, by the name of an error class, or by words in lower case. `advice` is left out where
 * repeating the request could pay twice.
 */
export interface WalletErrorRow {
  readonly codes?: readonly number[]
  readonly names?: RegExp
  readonly words?: readonly (string | RegExp)[]
  readonly sentence: string
  readonly advice?: string
}

/**
 * Errors of wallets, nodes and libraries, the most specific first, each with a sentence for the visitor: what happened and what
 * to do. Codes are from EIP-1193 and EIP-1474, words from wallets, viem and node clients. Words come before codes, because
 * node clients use one code for different errors.
 */
export const walletErrorRows = {
  // Of EIP-5792. Before the words: MetaMask says of an upgrade that the user rejected it.
  'batch-capability': { codes: [5700], sentence: 'Your wallet cannot do what these calls need.' },
  'batch-chain': {
    codes: [5710],
    sentence: 'Your wallet cannot send several calls at once on this network.',
  },
  'known-id': { codes: [5720], sentence: 'Your wallet has a request with this id already.' },
  'unknown-id': { codes: [5730], sentence: 'Your wallet does not know these calls any more.' },
  'batch-size': { codes: [5740], sentence: 'These are more calls than your wallet takes at once.' },
  'batch-upgrade': {
    codes: [5750],
    sentence:
      'To send several calls at once your wallet has to upgrade your account. It was declined, or this kind of account cannot be upgraded.',
  },
  'batch-atomic': { codes: [5760], sentence: 'Your wallet cannot carry out several calls as one.' },
  rejected: {
    // 5000 is WalletConnect's.
    codes: [4001, 5000],
    words: [
      /\buser[ _](rejected|rejects|denied|declined|cancell?ed|aborted)\b/,
      /\b(rejected|denied|declined|cancell?ed|aborted) by (the )?user\b/,
      'user closed modal',
      'accounts received is empty',
      // Safe, without a code.
      /^\s*transaction was rejected\s*$/,
    ],
    sentence: 'You rejected the request in your wallet.',
  },
  'no-chains': { words: ['no chains found on connector'], sentence: 'No chains found on connector.' },
  'chain-not-found': {
    words: ['chain not found on connector', 'chain not configured'],
    sentence: 'chain not found on connector.',
  },
  'project-id': {
    words: ['no projectid found'],
    sentence:
      'No projectId found. Every dApp must now provide a WalletConnect Cloud projectId to enable WalletConnect v2',
  },
  relay: {
    words: ['walletconnect relay'],
    sentence: 'The WalletConnect relay cannot be reached from here.',
    advice: 'Check your connection, turn off a VPN or a blocker for relay.walletconnect.org, then try again.',
  },
  safe: { words: ['could not load safe information'], sentence: 'Could not load Safe information' },
  'wallet-missing': {
    names: /^ProviderNotFoundError$/,
    words: ['provider not found', 'connector not found'],
    sentence: 'Your wallet was not found in this browser.',
  },
  'no-account': {
    words: ['no account from the wallet'],
    sentence: 'Your wallet did not name an account.',
    advice: 'Choose one in your wallet, then try again.',
  },
  'no-network': {
    words: ['no network from the wallet'],
    sentence: 'Your wallet did not say which network it is on.',
    advice: 'Choose one in your wallet, then try again.',
  },
  funds: {
    words: [
      /insufficient ?(funds|balance|sender balance)/,
      'insufficient maxfeepergas',
      /exceeds (the |account |transaction sender account )?balance/,
    ],
    sentence: 'Insufficient funds for the amount and its fee.',
  },
  known: {
    words: [
      /already ?known/,
      /\bknown transaction/,
      'existing txn with same hash',
      'already imported',
      'already in mempool',
    ],
    sentence: 'The nodes know this transaction already.',
  },
  'nonce-used': {
    words: [/nonce (is )?too low/, 'oldnonce', /nonce (has already been )?used/],
    sentence: 'Another transaction of yours was sent first.',
  },
  'nonce-ahead': {
    words: ['nonce too high', 'nonce too far in future', 'noncegap', 'gapped nonce'],
    sentence: 'Your wallet skipped a nonce: an earlier transaction is missing.',
    advice: 'Reset the nonce in your wallet and try again.',
  },
  'replacement-fee': {
    words: [
      'replacement transaction underpriced',
      'replacement fee too low',
      'could not replace existing',
      'to replace existing transaction',
      'replacementnotallowed',
      'with same nonce in the queue',
    ],
    sentence: 'Replacement fee too low: pay more than the transaction that it replaces.',
  },
  'tip-above-fee': {
    words: [
      'tip higher than fee cap',
      /max priority fee per gas (higher than|cannot be greater than) max fee/,
      'cannot be higher than the `maxfeepergas`',
    ],
    sentence: 'The tip is above the whole fee: lower the priority fee in your wallet.',
  },
  'fee-too-high': {
    words: ['exceeds the configured cap'],
    sentence: 'The fee is above what the nodes accept: lower it in your wallet.',
  },
  'gas-limit': {
    words: [
      /gas ?limit ((is )?too high|cap exceeded|reached|exceeded)/,
      /exceeds (max transaction|block) gas limit/,
      /gaslimitexceeded|greater than the block gas limit/,
      'intrinsic gas too high',
    ],
    sentence: 'The gas limit is above what the chain takes: lower it in your wallet.',
  },
  'fee-too-low': {
    words: [
      'max fee per gas less than block base fee',
      'underpriced',
      /below (configured )?minimum/,
      'fee cap',
      'below current base fee',
      /fee ?too ?low/,
    ],
    sentence: 'The fee is below what the chain asks right now: raise it in your wallet.',
  },
  'too-large': {
    words: [
      'oversized data',
      'transaction too large',
      'l2message too long',
      /initcode (size exceeded|too large)/,
    ],
    sentence: 'The transaction is larger than the chain takes.',
  },
  type: {
    words: ['transaction type not supported', /(unsupported|invalid|supporting this) transaction type/],
    sentence: 'The chain does not take this type of transaction.',
  },
  gas: {
    codes: [3],
    words: [
      'execution reverted',
      'cannot estimate gas',
      'unpredictable gas',
      /intrinsic ?gas/,
      'transaction gas is too low',
      'insufficient gas',
      'out of gas',
    ],
    sentence: 'The chain would refuse this: its gas is unpredictable, or it would revert.',
  },
  quorum: {
    codes: [-32010],
    words: ['failed to meet quorum'],
    sentence: 'The nodes failed to meet quorum.',
    advice: 'Try again in a moment.',
  },
  'node-full': {
    words: ['txpool is full', 'transaction pool not enabled', 'node is syncing', 'temporarily not available'],
    sentence: 'The node cannot take transactions right now.',
    advice: 'Try again in a moment.',
  },
  busy: {
    codes: [-32005],
    words: ['too many requests', 'overloaded'],
    sentence: 'Too many requests right now.',
    advice: 'Try again in a moment.',
  },
  pending: {
    codes: [-32002],
    words: ['already pending'],
    sentence: 'Your wallet has a request open already. Answer that one first.',
  },
  'cannot-switch': {
    names: /^SwitchChainNotSupportedError$/,
    words: [
      'does not support programmatic chain switching',
      // viem's words, and after them the wallet's.
      /attempting to switch chain.*(not support|unsupported|does not exist)/s,
    ],
    sentence:
      'Your wallet does not support switching networks from here. Try switching networks within your wallet instead.',
  },
  switch: {
    // viem uses code 4902 for this error too, so it must come before that row.
    names: /SwitchChain|ChainMismatch/,
    words: ['switching chain', 'switch chain'],
    sentence: 'The network could not be switched. Switch inside your wallet.',
  },
  'chain-unknown': {
    codes: [4902],
    words: ['unrecognized chain'],
    sentence: 'Your wallet does not know this network, and did not add it.',
  },
  'not-allowed': {
    codes: [4100],
    sentence: 'Your wallet does not let this site do that: unlock it, or connect this account there.',
  },
  'not-supported': {
    codes: [4200, -32601, -32004],
    words: ['method not found', 'does not support this method'],
    sentence: 'Your wallet does not support this request.',
  },
  'wallet-offline': {
    codes: [4900, 4901],
    sentence: 'Your wallet is not connected to this network.',
    advice: 'Check its connection, then try again.',
  },
  'session-gone': {
    words: ['no matching key', 'session topic does not exist'],
    sentence: 'Your wallet ended the session.',
    advice: 'Connect again.',
  },
  timeout: {
    words: ['timed out', 'took too long', 'timeout', 'deadline exceeded'],
    sentence: 'That took too long.',
    advice: 'Try again.',
  },
  unreachable: {
    words: ['failed to fetch', 'http request failed', 'networkerror'],
    sentence: 'The network cannot be reached.',
    advice: 'Check your connection.',
  },
} as const satisfies Readonly<Record<string, WalletErrorRow>>
