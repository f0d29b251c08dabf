import { ChainMismatchError, InvalidAddressError, SwitchChainError, UserRejectedRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { ConnectorAccountNotFoundError, ConnectorChainMismatchError, ProviderNotFoundError } from 'wagmi'
import { sendTransaction } from 'wagmi/actions'
import { WalletError } from '#lib/wallet/injected.ts'
import { walletErrorRows } from '#lib/wallet/wallet-error-table.ts'
import { isBatchError, sendErrorOf, type WalletErrorKind, walletErrorOf } from '#lib/wallet/wallet-errors.ts'
import corpus from '../../../demo/nodes/clients/errors.json' with { type: 'json' }
import { unreadable } from './hostile-wallet.ts'
import { configWith } from './one-chain.ts'

const maybeSent = 'It is not known whether it was sent: look at your wallet before trying again.'
const coded = (code: number, message = '') => Object.assign(new Error(message), { code })

/** An error of every kind. */
const errors: readonly (readonly [error: unknown, kind: WalletErrorKind])[] = [
  [coded(4001), 'rejected'],
  [coded(5000), 'rejected'],
  [new Error('MetaMask Tx Signature: User denied transaction signature.'), 'rejected'],
  [new Error('The user has cancelled by user'), 'rejected'],
  [new Error('User declined transaction'), 'rejected'],
  [new Error('Rejected by the user'), 'rejected'],
  [new Error('user cancelled'), 'rejected'],
  [new Error('User rejected the request.'), 'rejected'],
  [new Error('user closed modal'), 'rejected'],
  [new Error('Accounts received is empty'), 'rejected'],
  [new UserRejectedRequestError(new Error('no')), 'rejected'],
  [coded(-32002), 'pending'],
  [Object.assign(new Error(), { name: 'ProviderNotFoundError' }), 'wallet-missing'],
  [new Error('No chains found on connector.'), 'no-chains'],
  [new Error('Chain not configured.'), 'chain-not-found'],
  [new Error('chain not found on connector.'), 'chain-not-found'],
  [new Error('Could not load Safe information'), 'safe'],
  [new Error('the WalletConnect relay cannot be reached'), 'relay'],
  [new Error('timed out switching chain'), 'switch'],
  [new Error('aborted by the user, who connected another wallet meanwhile'), 'rejected'],
  [coded(-32010, 'failed to meet quorum'), 'quorum'],
  [new Error('insufficient funds for gas * price + value'), 'funds'],
  [new Error('nonce too low'), 'nonce-used'],
  [new Error('replacement transaction underpriced'), 'replacement-fee'],
  [new Error('transaction underpriced'), 'fee-too-low'],
  [coded(3, 'execution reverted'), 'gas'],
  [new Error('cannot estimate gas; transaction may fail'), 'gas'],
  [coded(4902), 'chain-unknown'],
  [new SwitchChainError(new Error('nope')), 'switch'],
  [new SwitchChainError(coded(4200, 'Unsupported method.')), 'cannot-switch'],
  [new SwitchChainError(coded(4001)), 'rejected'],
  [new SwitchChainError(coded(-32002)), 'pending'],
  [new SwitchChainError(coded(-32005)), 'busy'],
  [Object.assign(new Error(), { name: 'SwitchChainNotSupportedError' }), 'cannot-switch'],
  [new Error('No matching key. session topic doesn’t exist'), 'session-gone'],
  [new Error('The request took too long to respond.'), 'timeout'],
  [new TypeError('Failed to fetch'), 'unreachable'],
  [coded(-32005), 'busy'],
  [coded(5700), 'batch-capability'],
  [coded(5710, 'EIP-7702 not supported on chain: 0x89'), 'batch-chain'],
  [coded(5720, 'Batch ID already exists'), 'known-id'],
  [coded(5730, 'No matching bundle found'), 'unknown-id'],
  [coded(5740, 'Number of calls exceeds limit'), 'batch-size'],
  [coded(5750, 'EIP-7702 upgrade rejected by the user'), 'batch-upgrade'],
  [coded(5760), 'batch-atomic'],
  [new Error('Transaction was rejected'), 'rejected'],
  [coded(4100), 'not-allowed'],
  [coded(4200), 'not-supported'],
  [coded(-32601, 'Method not found'), 'not-supported'],
  [coded(4900), 'wallet-offline'],
  [coded(4901), 'wallet-offline'],
  [new Error('no account from the wallet'), 'no-account'],
  [new Error('no network from the wallet'), 'no-network'],
  [new Error('No projectId found.'), 'project-id'],
  [new Error('already known'), 'known'],
  [new Error('nonce too high'), 'nonce-ahead'],
  [new Error('tip higher than fee cap'), 'tip-above-fee'],
  [new Error('tx fee exceeds the configured cap'), 'fee-too-high'],
  [new Error('exceeds block gas limit'), 'gas-limit'],
  [new Error('oversized data'), 'too-large'],
  [new Error('transaction type not supported'), 'type'],
  [new Error('txpool is full'), 'node-full'],
  [new Error('unknown transaction'), 'unknown'],
  [new Error('Request rejected by policy'), 'unknown'],
]

/** The error of `sendTransaction` when the wallet answers this method with this error, as viem wraps it. */
const answeredWith = (error: unknown, method: string) =>
  new Error('viem', { cause: new WalletError(method, error) })

const isRefusal = (kind: WalletErrorKind) => kind === 'rejected' || isBatchError(kind)

describe('error messages', () => {
  test.each(errors)('%s', (error, kind) => {
    expect(walletErrorOf(error).kind).toBe(kind)
  })

  test('every row has an error here', () => {
    expect(new Set(errors.map(([, kind]) => kind))).toEqual(
      new Set([...Object.keys(walletErrorRows), 'unknown']),
    )
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
      new ConnectorAccountNotFoundError({
        address: `0x${'1'.repeat(40)}`,
        connector: { name: 'x' } as never,
      }),
      new ConnectorChainMismatchError({ connectionChainId: 1, connectorChainId: 2 }),
      new ProviderNotFoundError(),
      new ChainMismatchError({ chain: { id: 1, name: 'x' } as never, currentChainId: 2 }),
      new InvalidAddressError({ address: 'x' }),
    ])('nothing was sent: %s', (error) => {
      expect(sendErrorOf(new Error('viem', { cause: error })).maybeSent).toBe(false)
    })
  })

  test('nothing was sent without a connected wallet', async () => {
    const error = await sendTransaction(configWith(), { to: `0x${'1'.repeat(40)}` }).catch(
      (thrown: unknown) => thrown,
    )
    expect(sendErrorOf(error)).toMatchObject({ maybeSent: false })
  })

  test.each([
    ['rejected', coded(4001), 'You rejected the request in your wallet. Nothing was sent.', false],
    [
      'known',
      new Error('already known'),
      'The nodes know this transaction already. It is on its way: look at your wallet.',
      true,
    ],
  ])('the visitor is told whether it was sent: %s', (kind, error, sentence, unclear) => {
    expect(sendErrorOf(error)).toEqual({ kind, sentence, maybeSent: unclear })
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
  const refusals = corpus.transactions.filter(
    ({ result, message }) => result in meanings && message !== 'mined',
  )

  test('the corpus has words for every refusal', () => {
    expect(new Set(refusals.map(({ result }) => result))).toEqual(new Set(Object.keys(meanings)))
  })

  test.each(refusals.map(({ who, code, message, result }) => [who, message, code, meanings[result]]))(
    '%s: %s',
    (_who, message, code, kind) => {
      expect(walletErrorOf(coded(Number(code), String(message))).kind).toBe(kind)
    },
  )

  test('are found at any depth of causes', () => {
    const deep = new Error('a', {
      cause: new Error('b', { cause: { data: { originalError: { code: 4001 } } } }),
    })
    expect(walletErrorOf(deep).kind).toBe('rejected')
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
