import type { RefusalClass } from './wire/types.ts'

/** What a caller reads of a refusal: geth's words, by which clients know them. */
export const refusalText: Readonly<Record<RefusalClass, string>> = {
  'insufficient-funds': 'insufficient funds for gas * price + value',
  'nonce-too-low': 'nonce too low',
  'replacement-underpriced': 'replacement transaction underpriced',
  'fee-too-low': 'max fee per gas less than block base fee',
  'intrinsic-gas-too-low': 'intrinsic gas too low',
  'exceeds-block-gas-limit': 'exceeds block gas limit',
  'vm-halt': 'execution halted: out of gas or invalid instruction',
}
