import type { RejectionClass } from '../wire/types.ts'

type NamedRejection = Exclude<RejectionClass, `gas-allowance ${number}`>

/** geth's words, by which clients know them; where a client matches other words, those as well. */
const texts: Readonly<Record<NamedRejection, string>> = {
  'insufficient-funds': 'insufficient funds for gas * price + value',
  'nonce-too-low': 'nonce too low',
  'nonce-too-high': 'nonce too high',
  'replacement-underpriced': 'replacement transaction underpriced',
  'fee-too-low':
    'transaction underpriced: max fee per gas less than block base fee, or tip below the minimum',
  'tip-above-fee-cap': 'max priority fee per gas higher than max fee per gas',
  'intrinsic-gas-too-low': 'intrinsic gas too low',
  'exceeds-block-gas-limit': 'exceeds block gas limit: gas limit reached',
  oversized: 'oversized data',
  'initcode-too-large': 'max initcode size exceeded',
  'type-not-supported': 'transaction type not supported: transaction type not valid',
  'creation-without-data': 'contract creation without any data provided',
  'block-number-order': 'block numbers must be in order',
  'block-timestamp-order': 'block timestamps must be in order',
  'precompile-moved-to-itself': 'MovePrecompileToAddress referenced itself in replacement',
  'precompile-moved-twice': 'multiple MovePrecompileToAddress reference the same address to replace',
  'sender-not-eoa': 'sender is not an EOA',
  'vm-halt': 'execution halted: out of gas or invalid instruction',
}

/** What a caller reads of a refusal. */
export function rejectionText(rejection: RejectionClass): string {
  const named: Readonly<Record<string, string | undefined>> = texts
  return named[rejection] ?? `gas required exceeds allowance (${rejection.split(' ')[1]})`
}
