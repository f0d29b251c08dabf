import { ChainMismatchError, InvalidAddressError, SwitchChainError, UserRejectedRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { ConnectorAccountNotFoundError, ConnectorChainMismatchError, ProviderNotFoundError } from 'wagmi'
import { sendTransaction } from 'wagmi/actions'
import { WalletError } from '#lib/wallet/injected.ts'
import { isBatchError, sendErrorOf, type WalletErrorKind, walletErrorOf } from '#lib/wallet/wallet-errors.ts'
import corpus from '../../../demo/nodes/clients/errors.json' with { type: 'json' }
import { other } from './accounts.ts'
import { unreadable } from './hostile-wallet.ts'
import { configWith } from './one-chain.ts'

const maybeSent = 'It is not known whether it was sent: look at your wallet before trying again.'
const coded = (code: number, message = '') => Object.assign(new Error(message), { code })

const said = (text: string) => new Error(text)
const named = (name: string) => Object.assign(new Error(), { name })

/** Errors of every kind. */
const examples: Readonly<Record<WalletErrorKind, readonly [unknown, ...unknown[]]>> = {
  rejected: [
    said('Accounts received is empty'),
    ...[
      coded(4001),
      coded(5000),
      new UserRejectedRequestError(said('no')),
      new SwitchChainError(coded(4001)),
    ],
    ...[said('User rejected the request.'), said('Rejected by the user'), said('Transaction was rejected')],
    ...[said('MetaMask Tx Signature: User denied transaction signature.'), said('User declined transaction')],
    ...[said('The user has cancelled by user'), said('user cancelled'), said('user closed modal')],
    said('aborted by the user, who connected another wallet meanwhile'),
  ],
  pending: [coded(-32002), new SwitchChainError(coded(-32002))],
  'wallet-missing': [named('ProviderNotFoundError')],
  'no-chains': [said('No chains found on connector.')],
  'chain-not-found': [said('Chain not configured.'), said('chain not found on connector.')],
  safe: [said('Could not load Safe information')],
  relay: [said('the WalletConnect relay cannot be reached')],
  switch: [said('timed out switching chain'), new SwitchChainError(said('nope'))],
  quorum: [coded(-32010, 'failed to meet quorum')],
  funds: [said('insufficient funds for gas * price + value')],
  'nonce-used': [said('nonce too low')],
  'replacement-fee': [said('replacement transaction underpriced')],
  'fee-too-low': [said('transaction underpriced')],
  gas: [coded(3, 'execution reverted'), said('cannot estimate gas; transaction may fail')],
  'chain-unknown': [coded(4902)],
  'cannot-switch': [
    new SwitchChainError(coded(4200, 'Unsupported method.')),
    named('SwitchChainNotSupportedError'),
  ],
  'session-gone': [said('No matching key. session topic doesn’t exist')],
  timeout: [said('The request took too long to respond.')],
  unreachable: [new TypeError('Failed to fetch')],
  busy: [coded(-32005), new SwitchChainError(coded(-32005))],
  'batch-capability': [coded(5700)],
  'batch-chain': [coded(5710, 'EIP-7702 not supported on chain: 0x89')],
  'known-id': [coded(5720, 'Batch ID already exists')],
  'unknown-id': [coded(5730, 'No matching bundle found')],
  'batch-size': [coded(5740, 'Number of calls exceeds limit')],
  'batch-upgrade': [coded(5750, 'EIP-7702 upgrade rejected by the user')],
  'batch-atomic': [coded(5760)],
  'not-allowed': [coded(4100)],
  'not-supported': [coded(4200), coded(-32601, 'Method not found')],
  'wallet-offline': [coded(4900), coded(4901)],
  'no-account': [said('no account from the wallet')],
  'no-network': [said('no network from the wallet')],
  'project-id': [said('No projectId found.')],
  known: [said('already known')],
  'nonce-ahead': [said('nonce too high')],
  'tip-above-fee': [said('tip higher than fee cap')],
  'fee-too-high': [said('tx fee exceeds the configured cap')],
  'gas-limit': [said('exceeds block gas limit')],
  'too-large': [said('oversized data')],
  type: [said('transaction type not supported')],
  'node-full': [said('txpool is full')],
  unknown: [said('unknown transaction'), said('Request rejected by policy')],
}
const errors = (Object.keys(examples) as WalletErrorKind[]).flatMap((kind) =>
  examples[kind].map((error) => [error, kind] as const),
)

/** The error of `sendTransaction` when the wallet answers this method with this error, as viem wraps it. */
const answeredWith = (error: unknown, method: string) =>
  new Error('viem', { cause: new WalletError(method, error) })

const isRefusal = (kind: WalletErrorKind) => kind === 'rejected' || isBatchError(kind)

describe('error messages', () => {
  test.each(errors)('%s', (error, kind) => {
    expect(walletErrorOf(error).kind).toBe(kind)
  })

  describe('once the wallet was asked to send', () => {
    // An error of wagmi itself has no code or words that a wallet could send.
    const sent = errors.filter(([error]) => error instanceof Error && error.name === 'Error')

    test.each(sent)(
      '“nothing was sent” is said of a rejection, and of calls that the wallet does not carry out as one: %s',
      (error, kind) => {
        for (const method of ['eth_sendTransaction', 'wallet_sendCalls']) {
          const { sentence, maybeSent: isUnclear } = sendErrorOf(answeredWith(error, method))
          expect(sentence.includes('Nothing was sent')).toBe(isRefusal(kind))
          expect(isUnclear).toBe(!isRefusal(kind))
          if (!isRefusal(kind) && kind !== 'known') {
            expect(sentence).toContain(maybeSent)
            expect(sentence.replace(maybeSent, '')).not.toMatch(/try again|connect again/i)
          }
        }
      },
    )

    test.each(sent)('it is not known without proof that the wallet was not asked: %s', (error, kind) => {
      expect(sendErrorOf(error).maybeSent).toBe(!isRefusal(kind))
    })
  })

  describe('before the wallet is asked to send', () => {
    test.each(errors)('nothing was sent: %s', (error, kind) => {
      if (kind === 'known') return
      const { sentence, maybeSent: isUnclear } = sendErrorOf(answeredWith(error, 'eth_chainId'))
      expect(isUnclear).toBe(false)
      expect(sentence).toMatch(/ Nothing was sent\.$/)
    })

    test.each([
      new ConnectorAccountNotFoundError({ address: other, connector: { name: 'x' } as never }),
      new ConnectorChainMismatchError({ connectionChainId: 1, connectorChainId: 2 }),
      new ProviderNotFoundError(),
      new ChainMismatchError({ chain: { id: 1, name: 'x' } as never, currentChainId: 2 }),
      new InvalidAddressError({ address: 'x' }),
    ])('nothing was sent: %s', (error) => {
      expect(sendErrorOf(new Error('viem', { cause: error })).maybeSent).toBe(false)
    })
  })

  test('nothing was sent without a connected wallet', async () => {
    const sending = sendTransaction(configWith(), { to: other })
    expect(await sending.catch(sendErrorOf)).toMatchObject({ maybeSent: false })
  })

  test.each([
    [coded(4001), 'rejected', 'You rejected the request in your wallet. Nothing was sent.'],
    [
      new Error('already known'),
      'known',
      'The nodes know this transaction already. It is on its way: look at your wallet.',
    ],
  ])('the visitor is told whether it was sent: %s', (error, kind, sentence) => {
    expect(sendErrorOf(error)).toEqual({ kind, sentence, maybeSent: kind === 'known' })
  })

  /** The refusals in the engine's corpus of real messages, and the texts for the visitor. */
  const meanings: Readonly<Record<string, string>> = {
    known: 'known',
    'refusal:nonce-too-low': 'nonce-used',
    'refusal:nonce-too-high': 'nonce-ahead',
    'refusal:fee-too-low': 'fee-too-low',
    'refusal:replacement-underpriced': 'replacement-fee',
    'refusal:insufficient-funds': 'funds',
    'refusal:intrinsic-gas-too-low': 'gas',
    'refusal:exceeds-block-gas-limit': 'gas-limit',
    'refusal:oversized': 'too-large',
    'refusal:initcode-too-large': 'too-large',
    'refusal:type-not-supported': 'type',
    'refusal:tip-above-fee-cap': 'tip-above-fee',
  }
  const refusals = corpus.transactions.flatMap(({ who, code, message, result }) => {
    const kind = message === 'mined' ? undefined : meanings[result]
    return kind === undefined ? [] : [{ who, code, message, result, kind }]
  })

  test('the corpus has words for every refusal', () => {
    expect(new Set(refusals.map(({ result }) => result))).toEqual(new Set(Object.keys(meanings)))
  })

  test.each(refusals)('$who: $message', ({ code, message, kind }) => {
    expect(walletErrorOf(coded(Number(code), String(message))).kind).toBe(kind)
  })

  test('are found at any depth of causes', () => {
    const cause = new Error('b', { cause: { data: { originalError: { code: 4001 } } } })
    expect(walletErrorOf(new Error('a', { cause })).kind).toBe('rejected')
  })

  const snake = new Error('a')
  snake.cause = snake

  test.each([
    ...[undefined, null, 'text', 7, {}, new Error(''), snake].map((value) => () => value),
    unreadable,
    () => ({ message: Symbol('odd'), cause: unreadable() }),
  ])('anything has a message, and a cyclic chain of causes ends: %#', (make) => {
    expect(walletErrorOf(make())).toEqual({ kind: 'unknown', sentence: 'Oops, something went wrong!' })
  })
})
