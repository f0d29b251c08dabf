import { read } from './untrusted.ts'
import { type WalletErrorRow, walletErrorRows } from './wallet-error-table.ts'

/** What went wrong, as a sentence for the visitor. */
export interface WalletErrorInfo {
  readonly kind: WalletErrorKind
  readonly sentence: string
}

export type WalletErrorKind = keyof typeof walletErrorRows | 'unknown'

const depthMax = 12

/** The first row of `walletErrorRows` that matches any error in the chain of causes. */
export function walletErrorOf(error: unknown): WalletErrorInfo {
  const { kind, sentence, advice } = rowOf(cluesOf(error))
  return { kind, sentence: advice === undefined ? sentence : `${sentence} ${advice}` }
}

/** For when a transaction may have been sent. */
export const maybeSent = 'It is not known whether it was sent: look at your wallet before trying again.'

/**
 * The same for an error while sending, with whether anything may have been sent: trying again could pay twice. Nothing was sent
 * only if the visitor rejected it, or if the error came before the wallet was asked to send. A wallet may report any other error
 * after it has sent the transaction: to a second node, or from one that lost its connection.
 */
export function sendErrorOf(error: unknown): WalletErrorInfo & { readonly maybeSent: boolean } {
  const clues = cluesOf(error)
  const { kind, sentence } = rowOf(clues)
  if (kind === 'known')
    return { kind, sentence: `${sentence} It is on its way: look at your wallet.`, maybeSent: true }
  if (kind === 'rejected' || isBatchError(kind) || isBeforeSending(clues))
    return { kind, sentence: `${sentence} Nothing was sent.`, maybeSent: false }
  return { kind, sentence: `${sentence} ${maybeSent}`, maybeSent: true }
}

/** Whether the wallet cannot or may not carry out several calls as one: it did nothing, and may be asked for each. */
export function isBatchError(kind: WalletErrorKind | undefined): boolean {
  return kind?.startsWith('batch-') === true
}

/** One error in a chain of causes; `text` is in lower case. */
interface Clue {
  readonly code: number | undefined
  readonly name: string
  readonly text: string
  /** The request that the wallet answered with this error, where our own code made it. */
  readonly walletMethod: string | undefined
}

type Row = Pick<WalletErrorRow, 'sentence' | 'advice'> & { readonly kind: WalletErrorKind }

function rowOf(clues: readonly Clue[]): Row {
  const rows = Object.entries<WalletErrorRow>(walletErrorRows)
  const [kind, row] = rows.find(([, each]) => clues.some((clue) => tells(clue, each))) ?? []
  if (row === undefined) return { kind: 'unknown', sentence: 'Oops, something went wrong!' }
  return { ...row, kind: kind as WalletErrorKind }
}

function tells({ code, name, text }: Clue, { codes, names, words = [] }: WalletErrorRow): boolean {
  if ((code !== undefined && codes?.includes(code)) || names?.test(name)) return true
  return words.some((word) => (typeof word === 'string' ? text.includes(word) : word.test(text)))
}

/** The requests with which viem asks a wallet to send. */
const sendMethods: readonly string[] = ['eth_sendTransaction', 'wallet_sendTransaction', 'wallet_sendCalls']

/** Errors that wagmi and viem raise themselves, before they ask the wallet to send. No wallet or node has them. */
const namesBeforeSending: readonly string[] = [
  'AccountNotFoundError',
  'ChainMismatchError',
  'ChainNotConfiguredError',
  'ConnectorAccountNotFoundError',
  'ConnectorChainMismatchError',
  'ConnectorNotConnectedError',
  'ConnectorUnavailableReconnectingError',
  'InvalidAddressError',
  'ProviderNotFoundError',
]

/** Whether the wallet was not asked to send yet. Without proof of that, it was. */
function isBeforeSending(clues: readonly Clue[]): boolean {
  const methods = clues.flatMap(({ walletMethod }) => walletMethod ?? [])
  if (methods.some((method) => sendMethods.includes(method))) return false
  return methods.length > 0 || clues.some(({ name }) => namesBeforeSending.includes(name))
}

function cluesOf(error: unknown): readonly Clue[] {
  const clues: Clue[] = []
  let link: unknown = error
  for (let depth = 0; depth < depthMax && link !== undefined && link !== null; depth++) {
    clues.push(clueOf(link))
    link = read(link, 'cause')
  }
  return clues
}

/** An error of a wallet may be anything, an object whose members throw too. */
function clueOf(link: unknown): Clue {
  const [code, name, message, details, walletMethod] = (
    ['code', 'name', 'message', 'details', 'walletMethod'] as const
  ).map((member) => read(link, member))
  const words = typeof link === 'string' ? [link] : [message, details]
  return {
    // MetaMask mobile wraps the error code one level deeper.
    code: numberOr(code) ?? numberOr(read(read(read(link, 'data'), 'originalError'), 'code')),
    name: textOr(name) ?? '',
    text: words
      .flatMap((word) => textOr(word) ?? [])
      .join(' ')
      .toLowerCase(),
    walletMethod: textOr(walletMethod),
  }
}

const numberOr = (value: unknown) => (typeof value === 'number' ? value : undefined)
const textOr = (value: unknown) => (typeof value === 'string' ? value : undefined)
