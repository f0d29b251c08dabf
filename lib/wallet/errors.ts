/** What went wrong, in words that a visitor can use. */
export interface Trouble {
  readonly kind: TroubleKind
  readonly sentence: string
}

export type TroubleKind = (typeof troubles)[number]['kind'] | 'unknown'

interface Clue {
  readonly code: number | undefined
  readonly name: string
  readonly text: string
}

const says =
  (...words: readonly string[]) =>
  ({ text }: Clue) =>
    words.some((word) => text.includes(word))

export const cannotSwitch =
  'Your wallet does not support switching networks from here. Try switching networks within your wallet instead.'

/**
 * From any error of a wallet, a node or a library to one sentence, the most particular first. Codes are EIP-1193's and
 * EIP-1474's; words are those that wallets, geth and viem use.
 */
const troubles = [
  {
    kind: 'rejected',
    applies: (clue: Clue) =>
      clue.code === 4001 ||
      says('user rejected', 'user closed modal', 'accounts received is empty', 'user denied')(clue),
    sentence: 'You rejected the request in your wallet.',
  },
  {
    kind: 'pending',
    applies: (clue: Clue) => clue.code === -32002 || says('already pending')(clue),
    sentence: 'Your wallet has a request open already. Answer that one first.',
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
    kind: 'quorum',
    applies: (clue: Clue) => clue.code === -32010 || says('failed to meet quorum')(clue),
    sentence: 'The nodes failed to meet quorum. Try again in a moment.',
  },
  {
    kind: 'funds',
    applies: says('insufficient funds', 'exceeds the balance', 'exceeds balance'),
    sentence: 'Insufficient funds for the amount and its fee.',
  },
  {
    kind: 'nonce-used',
    applies: says('nonce too low', 'nonce has already been used', 'nonce used'),
    sentence: 'That nonce is used: another transaction of yours was there first.',
  },
  {
    kind: 'replacement-fee',
    applies: says('replacement transaction underpriced', 'replacement fee too low'),
    sentence: 'Replacement fee too low: pay more than the transaction that it replaces.',
  },
  {
    kind: 'fee-too-low',
    applies: says('max fee per gas less than block base fee', 'underpriced', 'fee cap'),
    sentence: 'The fee is below what the chain asks right now.',
  },
  {
    kind: 'gas',
    applies: (clue: Clue) =>
      clue.code === 3 ||
      says('execution reverted', 'cannot estimate gas', 'unpredictable gas', 'intrinsic gas')(clue),
    sentence: 'The chain would refuse this: its gas is unpredictable, or it would revert.',
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
    // viem gives this error the code 4902 too, so it must be met before that.
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
    kind: 'busy',
    applies: (clue: Clue) => clue.code === -32005 || says('too many requests', 'overloaded')(clue),
    sentence: 'Too many requests right now. Try again in a moment.',
  },
  {
    kind: 'session-gone',
    applies: says('no matching key', 'session topic does not exist'),
    sentence: 'Your wallet ended the session. Connect again.',
  },
  {
    kind: 'timeout',
    applies: says('timed out', 'took too long', 'timeout'),
    sentence: 'That took too long. Try again.',
  },
  {
    kind: 'unreachable',
    applies: says('failed to fetch', 'http request failed', 'networkerror'),
    sentence: 'The network cannot be reached. Check your connection.',
  },
] as const

const depthMax = 12

/** The first trouble that any link of an error's chain of causes fits, the outermost link first. */
export function troubleOf(error: unknown): Trouble {
  const clues = cluesOf(error)
  for (const trouble of troubles) {
    if (clues.some(trouble.applies)) return { kind: trouble.kind, sentence: trouble.sentence }
  }
  return { kind: 'unknown', sentence: 'Oops, something went wrong!' }
}

/** That a transaction may have been sent, and what to do about that. */
export const maybeSent = 'It is not known whether it was sent: look at your wallet before trying again.'

/** Troubles that may come once a transaction is on its way to every node: nobody may say that nothing was sent. */
const halfway: Partial<Record<TroubleKind, string>> = {
  quorum: `The nodes failed to meet quorum. ${maybeSent}`,
  timeout: `That took too long. ${maybeSent}`,
  unreachable: `The network cannot be reached. ${maybeSent}`,
  unknown: `Oops, something went wrong! ${maybeSent}`,
}

/** The same for an error of sending, where trying again may pay twice. */
export function troubleOfSend(error: unknown): Trouble & { readonly maybeSent: boolean } {
  const trouble = troubleOf(error)
  const sentence = halfway[trouble.kind]
  return { ...trouble, sentence: sentence ?? trouble.sentence, maybeSent: sentence !== undefined }
}

function cluesOf(error: unknown): readonly Clue[] {
  const clues: Clue[] = []
  let link: unknown = error
  for (let depth = 0; depth < depthMax && link !== undefined && link !== null; depth++) {
    const { code, name, message, details, cause, data } = link as Record<string, unknown>
    clues.push({
      code: typeof code === 'number' ? code : codeIn(data),
      name: typeof name === 'string' ? name : '',
      text: (typeof link === 'string'
        ? link
        : `${String(message ?? '')} ${String(details ?? '')}`
      ).toLowerCase(),
    })
    link = cause
  }
  return clues
}

// MetaMask on phones wraps a wallet's code one deeper.
function codeIn(data: unknown): number | undefined {
  const code = (data as { originalError?: { code?: unknown } } | undefined)?.originalError?.code
  return typeof code === 'number' ? code : undefined
}
