/** One error in a chain of causes; `text` is in lower case. */
export interface Clue {
  readonly code: number | undefined
  readonly name: string
  readonly text: string
  /** The request that the wallet answered with this error, where our own code made it. */
  readonly walletMethod: string | undefined
}

/** One kind of error. `advice` is left out where repeating the request could pay twice. */
interface WalletErrorRow {
  readonly kind: string
  readonly applies: (clue: Clue) => boolean
  readonly sentence: string
  readonly advice?: string
}

const says =
  (...words: readonly (string | RegExp)[]) =>
  ({ text }: Clue) =>
    words.some((word) => (typeof word === 'string' ? text.includes(word) : word.test(text)))

const hasCode =
  (...codes: readonly number[]) =>
  ({ code }: Clue) =>
    code !== undefined && codes.includes(code)

export const cannotSwitch =
  'Your wallet does not support switching networks from here. Try switching networks within your wallet instead.'

/**
 * Errors of wallets, nodes and libraries, the most specific first, each with a sentence for the visitor: what happened and what
 * to do. Codes are from EIP-1193 and EIP-1474, words from wallets, viem and node clients. Words come before codes, because
 * node clients use one code for different errors.
 */
export const troubles = [
  // Of EIP-5792. Before the words: MetaMask says of an upgrade that the user rejected it.
  {
    kind: 'batch-capability',
    applies: hasCode(5700),
    sentence: 'Your wallet cannot do what these calls need.',
  },
  {
    kind: 'batch-chain',
    applies: hasCode(5710),
    sentence: 'Your wallet cannot send several calls at once on this network.',
  },
  {
    kind: 'known-id',
    applies: hasCode(5720),
    sentence: 'Your wallet has a request with this id already.',
  },
  {
    kind: 'unknown-id',
    applies: hasCode(5730),
    sentence: 'Your wallet does not know these calls any more.',
  },
  {
    kind: 'batch-size',
    applies: hasCode(5740),
    sentence: 'These are more calls than your wallet takes at once.',
  },
  {
    kind: 'batch-upgrade',
    applies: hasCode(5750),
    sentence:
      'To send several calls at once your wallet has to upgrade your account. It was declined, or this kind of account cannot be upgraded.',
  },
  {
    kind: 'batch-atomic',
    applies: hasCode(5760),
    sentence: 'Your wallet cannot carry out several calls as one.',
  },
  {
    kind: 'rejected',
    applies: (clue: Clue) =>
      // 5000 is WalletConnect's.
      hasCode(4001, 5000)(clue) ||
      says(
        /\buser[ _](rejected|rejects|denied|declined|cancell?ed|aborted)\b/,
        /\b(rejected|denied|declined|cancell?ed|aborted) by (the )?user\b/,
        'user closed modal',
        'accounts received is empty',
        // Safe, without a code.
        /^\s*transaction was rejected\s*$/,
      )(clue),
    sentence: 'You rejected the request in your wallet.',
  },
  {
    kind: 'no-chains',
    applies: says('no chains found on connector'),
    sentence: 'No chains found on connector.',
  },
  {
    kind: 'chain-not-found',
    applies: says('chain not found on connector', 'chain not configured'),
    sentence: 'chain not found on connector.',
  },
  {
    kind: 'project-id',
    applies: says('no projectid found'),
    sentence:
      'No projectId found. Every dApp must now provide a WalletConnect Cloud projectId to enable WalletConnect v2',
  },
  {
    kind: 'relay',
    applies: says('walletconnect relay'),
    sentence: 'The WalletConnect relay cannot be reached from here.',
    advice: 'Check your connection, turn off a VPN or a blocker for relay.walletconnect.org, then try again.',
  },
  {
    kind: 'safe',
    applies: says('could not load safe information'),
    sentence: 'Could not load Safe information',
  },
  {
    kind: 'wallet-missing',
    applies: (clue: Clue) =>
      clue.name === 'ProviderNotFoundError' || says('provider not found', 'connector not found')(clue),
    sentence: 'Your wallet was not found in this browser.',
  },
  {
    kind: 'no-account',
    applies: says('no account from the wallet'),
    sentence: 'Your wallet did not name an account.',
    advice: 'Choose one in your wallet, then try again.',
  },
  {
    kind: 'no-network',
    applies: says('no network from the wallet'),
    sentence: 'Your wallet did not say which network it is on.',
    advice: 'Choose one in your wallet, then try again.',
  },
  {
    kind: 'funds',
    applies: says(
      /insufficient ?(funds|balance|sender balance)/,
      'insufficient maxfeepergas',
      /exceeds (the |account |transaction sender account )?balance/,
    ),
    sentence: 'Insufficient funds for the amount and its fee.',
  },
  {
    kind: 'known',
    applies: says(
      'already known',
      /\bknown transaction/,
      'existing txn with same hash',
      'already imported',
      'alreadyknown',
      'already in mempool',
    ),
    sentence: 'The nodes know this transaction already.',
  },
  {
    kind: 'nonce-used',
    applies: says(
      'nonce too low',
      'nonce is too low',
      'oldnonce',
      'nonce has already been used',
      'nonce used',
    ),
    sentence: 'Another transaction of yours was sent first.',
  },
  {
    kind: 'nonce-ahead',
    applies: says('nonce too high', 'nonce too far in future', 'noncegap', 'gapped nonce'),
    sentence: 'Your wallet skipped a nonce: an earlier transaction is missing.',
    advice: 'Reset the nonce in your wallet and try again.',
  },
  {
    kind: 'replacement-fee',
    applies: says(
      'replacement transaction underpriced',
      'replacement fee too low',
      'could not replace existing',
      'to replace existing transaction',
      'replacementnotallowed',
      'with same nonce in the queue',
    ),
    sentence: 'Replacement fee too low: pay more than the transaction that it replaces.',
  },
  {
    kind: 'tip-above-fee',
    applies: says(
      'tip higher than fee cap',
      /max priority fee per gas (higher than|cannot be greater than) max fee/,
      'cannot be higher than the `maxfeepergas`',
    ),
    sentence: 'The tip is above the whole fee: lower the priority fee in your wallet.',
  },
  {
    kind: 'fee-too-high',
    applies: says('exceeds the configured cap'),
    sentence: 'The fee is above what the nodes accept: lower it in your wallet.',
  },
  {
    kind: 'gas-limit',
    applies: says(
      'gas limit too high',
      'exceeds max transaction gas limit',
      'gas limit cap exceeded',
      'exceeds block gas limit',
      'gas limit reached',
      /gas ?limit (is too high|exceeded)|gaslimitexceeded|greater than the block gas limit/,
      'intrinsic gas too high',
    ),
    sentence: 'The gas limit is above what the chain takes: lower it in your wallet.',
  },
  {
    kind: 'fee-too-low',
    applies: says(
      'max fee per gas less than block base fee',
      'underpriced',
      'below minimum',
      'below configured minimum',
      'fee cap',
      'below current base fee',
      /fee ?too ?low/,
    ),
    sentence: 'The fee is below what the chain asks right now: raise it in your wallet.',
  },
  {
    kind: 'too-large',
    applies: says(
      'oversized data',
      'transaction too large',
      'l2message too long',
      'initcode size exceeded',
      'initcode too large',
    ),
    sentence: 'The transaction is larger than the chain takes.',
  },
  {
    kind: 'type',
    applies: says(
      'transaction type not supported',
      'unsupported transaction type',
      'invalid transaction type',
      'supporting this transaction type',
    ),
    sentence: 'The chain does not take this type of transaction.',
  },
  {
    kind: 'gas',
    applies: (clue: Clue) =>
      clue.code === 3 ||
      says(
        'execution reverted',
        'cannot estimate gas',
        'unpredictable gas',
        'intrinsic gas',
        'intrinsicgas',
        'transaction gas is too low',
        'insufficient gas',
        'out of gas',
      )(clue),
    sentence: 'The chain would refuse this: its gas is unpredictable, or it would revert.',
  },
  {
    kind: 'quorum',
    applies: (clue: Clue) => clue.code === -32010 || says('failed to meet quorum')(clue),
    sentence: 'The nodes failed to meet quorum.',
    advice: 'Try again in a moment.',
  },
  {
    kind: 'node-full',
    applies: says(
      'txpool is full',
      'transaction pool not enabled',
      'node is syncing',
      'temporarily not available',
    ),
    sentence: 'The node cannot take transactions right now.',
    advice: 'Try again in a moment.',
  },
  {
    kind: 'busy',
    applies: (clue: Clue) => clue.code === -32005 || says('too many requests', 'overloaded')(clue),
    sentence: 'Too many requests right now.',
    advice: 'Try again in a moment.',
  },
  {
    kind: 'pending',
    applies: (clue: Clue) => clue.code === -32002 || says('already pending')(clue),
    sentence: 'Your wallet has a request open already. Answer that one first.',
  },
  {
    kind: 'cannot-switch',
    applies: (clue: Clue) =>
      clue.name === 'SwitchChainNotSupportedError' ||
      says('does not support programmatic chain switching')(clue) ||
      (clue.name === 'SwitchChainError' && says('not support', 'unsupported', 'does not exist')(clue)),
    sentence: cannotSwitch,
  },
  {
    kind: 'switch',
    // viem uses code 4902 for this error too, so it must come before that row.
    applies: (clue: Clue) =>
      /SwitchChain|ChainMismatch/.test(clue.name) || says('switching chain', 'switch chain')(clue),
    sentence: 'The network could not be switched. Switch inside your wallet.',
  },
  {
    kind: 'chain-unknown',
    applies: (clue: Clue) => clue.code === 4902 || says('unrecognized chain')(clue),
    sentence: 'Your wallet does not know this network, and did not add it.',
  },
  {
    kind: 'not-allowed',
    applies: hasCode(4100),
    sentence: 'Your wallet does not let this site do that: unlock it, or connect this account there.',
  },
  {
    kind: 'not-supported',
    applies: (clue: Clue) =>
      hasCode(4200, -32601, -32004)(clue) || says('method not found', 'does not support this method')(clue),
    sentence: 'Your wallet does not support this request.',
  },
  {
    kind: 'wallet-offline',
    applies: hasCode(4900, 4901),
    sentence: 'Your wallet is not connected to this network.',
    advice: 'Check its connection, then try again.',
  },
  {
    kind: 'session-gone',
    applies: says('no matching key', 'session topic does not exist'),
    sentence: 'Your wallet ended the session.',
    advice: 'Connect again.',
  },
  {
    kind: 'timeout',
    applies: says('timed out', 'took too long', 'timeout', 'deadline exceeded'),
    sentence: 'That took too long.',
    advice: 'Try again.',
  },
  {
    kind: 'unreachable',
    applies: says('failed to fetch', 'http request failed', 'networkerror'),
    sentence: 'The network cannot be reached.',
    advice: 'Check your connection.',
  },
] as const satisfies readonly WalletErrorRow[]
