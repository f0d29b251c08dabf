import {
  BaseError,
  ExecutionRevertedError,
  FeeCapTooLowError,
  InsufficientFundsError,
  IntrinsicGasTooHighError,
  IntrinsicGasTooLowError,
  NonceTooHighError,
  NonceTooLowError,
  TipAboveFeeCapError,
  TransactionTypeNotSupportedError,
} from 'viem'
import { getNodeError } from 'viem/utils'
import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../../../../rpc-proxy/calls/read.ts'
import { methodSpec } from '../../../../rpc-proxy/methods/table.ts'
import { type RejectionClass, rejectionText } from '../../../../rpc-proxy/wire/rejections.ts'

/** The viem error for our message. */
function viemError(refusal: RejectionClass): Error {
  return getNodeError(new BaseError('failed', { details: rejectionText(refusal) }), {})
}

describe('clients recognize refusals by our messages', () => {
  test.each([
    ['insufficient-funds', InsufficientFundsError],
    ['nonce-too-low', NonceTooLowError],
    ['nonce-too-high', NonceTooHighError],
    ['fee-too-low', FeeCapTooLowError],
    ['tip-above-fee-cap', TipAboveFeeCapError],
    ['intrinsic-gas-too-low', IntrinsicGasTooLowError],
    ['exceeds-block-gas-limit', IntrinsicGasTooHighError],
    ['type-not-supported', TransactionTypeNotSupportedError],
    ['gas-allowance 50000000', ExecutionRevertedError],
  ] as const)('viem: %s', (refusal, expected) => {
    expect(viemError(refusal)).toBeInstanceOf(expected)
  })

  // The patterns of ethers 5 and 6 for eth_sendRawTransaction (provider-jsonrpc.ts, json-rpc-provider.ts).
  test.each([
    ['insufficient-funds', /insufficient funds/i],
    ['nonce-too-low', /nonce (is )?too low/i],
    ['replacement-underpriced', /replacement transaction underpriced/i],
    ['gas-allowance 50000000', /gas required exceeds allowance/],
  ] as const)('ethers: %s', (refusal, pattern) => {
    expect(rejectionText(refusal)).toMatch(pattern)
  })

  test.each([
    'fee-too-low',
    'oversized',
    'exceeds-block-gas-limit',
    'nonce-too-high',
    'tip-above-fee-cap',
  ] as const)('and none takes %s for another one', (refusal) => {
    const others = [
      /insufficient funds/i,
      /nonce.*too low/i,
      /replacement transaction/i,
      /execution reverted/i,
    ]
    for (const other of others) expect(rejectionText(refusal)).not.toMatch(other)
  })
})

test('the errors of eth_simulateV1 keep their codes only there', () => {
  const codeOf = (method: string, refusal: RejectionClass) => {
    const outcome = outcomeOf({ rejected: refusal }, methodSpec(method), [])
    return 'error' in outcome ? outcome.error.code : null
  }
  expect(codeOf('eth_simulateV1', 'sender-not-eoa')).toBe(-38024)
  expect(codeOf('eth_simulateV1', 'vm-halt')).toBe(-32000)
  expect(codeOf('eth_call', 'nonce-too-low')).toBe(-32000)
})
