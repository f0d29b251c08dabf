import { SwitchChainError, UserRejectedRequestError } from 'viem'
import { describe, expect, test } from 'vitest'
import { troubleOf, troubleOfSend } from '#lib/wallet/errors.ts'
import { transactionRows } from '../../rpc-proxy/upstreams/real-words/transactions.ts'

const coded = (code: number, message = '') => Object.assign(new Error(message), { code })

describe('error messages', () => {
  test.each([
    [coded(4001), 'rejected'],
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
    [Object.assign(new Error(), { name: 'SwitchChainNotSupportedError' }), 'cannot-switch'],
    [new Error('No matching key. session topic doesn’t exist'), 'session-gone'],
    [new Error('The request took too long to respond.'), 'timeout'],
    [new TypeError('Failed to fetch'), 'unreachable'],
    [coded(-32005), 'busy'],
    [coded(4100), 'not-allowed'],
    [coded(4200), 'not-supported'],
    [coded(-32601, 'Method not found'), 'not-supported'],
    [coded(4900), 'wallet-offline'],
    [coded(4901), 'wallet-offline'],
    [new Error('unknown transaction'), 'unknown'],
  ])('%s', (error, kind) => {
    expect(troubleOf(error).kind).toBe(kind)
  })

  test.each([
    coded(-32010, 'failed to meet quorum'),
    new Error('The request took too long to respond.'),
    new TypeError('Failed to fetch'),
  ])('%s after a transaction has left does not say that nothing was sent', (error) => {
    expect(troubleOfSend(error).sentence).toContain(
      'It is not known whether it was sent: look at your wallet before trying again.',
    )
    expect(troubleOf(error).sentence).not.toContain('sent')
  })

  test('a refusal says that nothing was sent', () => {
    expect(troubleOfSend(coded(4001))).toEqual({
      kind: 'rejected',
      sentence: 'You rejected the request in your wallet. Nothing was sent.',
      maybeSent: false,
    })
  })

  test('a transaction that the nodes already know is pending', () => {
    expect(troubleOfSend(new Error('already known'))).toEqual({
      kind: 'known',
      sentence: 'The nodes know this transaction already. It is on its way: look at your wallet.',
      maybeSent: true,
    })
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
  const refusals = transactionRows.filter(({ wanted, message }) => wanted in meanings && message !== 'mined')

  test('the corpus has words for every refusal', () => {
    expect(new Set(refusals.map(({ wanted }) => wanted))).toEqual(new Set(Object.keys(meanings)))
  })

  test.each(refusals.map(({ who, code, message, wanted }) => [who, message, code, meanings[String(wanted)]]))(
    '%s: %s',
    (_who, message, code, kind) => {
      expect(troubleOf(coded(Number(code), String(message))).kind).toBe(kind)
    },
  )

  test('are found at any depth of causes', () => {
    const deep = new Error('a', {
      cause: new Error('b', { cause: { data: { originalError: { code: 4001 } } } }),
    })
    expect(troubleOf(deep).kind).toBe('rejected')
  })

  test('a rejection is distinguished from a failed switch that wraps it', () => {
    expect(troubleOf(new SwitchChainError(coded(4001))).kind).toBe('rejected')
  })

  test.each([
    [-32002, 'pending'],
    [-32005, 'busy'],
  ])('a switch that a wallet refuses with %s has a reason', (code, kind) => {
    expect(troubleOf(new SwitchChainError(coded(code))).kind).toBe(kind)
  })

  test.each([[undefined], [null], ['text'], [7], [{}], [new Error('')]])('%s has a message too', (error) => {
    expect(troubleOf(error)).toEqual({ kind: 'unknown', sentence: 'Oops, something went wrong!' })
  })

  test('a cyclic chain of causes terminates', () => {
    const snake = new Error('a')
    snake.cause = snake
    expect(troubleOf(snake).kind).toBe('unknown')
  })
})
