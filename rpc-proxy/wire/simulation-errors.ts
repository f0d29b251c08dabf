import type { RejectionClass } from './types.ts'

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
