/**
 * Errors of a node that are verdicts of the chain and so vote. The list is closed. In geth's words, by which clients know them; where a
 * client matches other words, those as well.
 */
const texts = {
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

/** By class. `gas-allowance`: an estimate needs more gas than this, which the call did not name. */
export type RejectionClass = keyof typeof texts | `gas-allowance ${number}`

/** What a caller reads of a refusal. */
export function rejectionText(rejection: RejectionClass): string {
  const named: Readonly<Record<string, string | undefined>> = texts
  return named[rejection] ?? `gas required exceeds allowance (${rejection.split(' ')[1]})`
}

/** The errors that the specification of eth_simulateV1 names, by code. -38026 is a limit of the node and not among them. */
export const simulationErrors: ReadonlyMap<number, RejectionClass> = new Map([
  [-38010, 'nonce-too-low'],
  [-38011, 'nonce-too-high'],
  [-38012, 'fee-too-low'],
  [-38013, 'intrinsic-gas-too-low'],
  [-38014, 'insufficient-funds'],
  [-38015, 'exceeds-block-gas-limit'],
  [-38020, 'block-number-order'],
  [-38021, 'block-timestamp-order'],
  [-38022, 'precompile-moved-to-itself'],
  [-38023, 'precompile-moved-twice'],
  [-38024, 'sender-not-eoa'],
  [-38025, 'initcode-too-large'],
])
