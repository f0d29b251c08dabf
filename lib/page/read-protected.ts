import { createReadChain } from './read-chain.ts'
import type { ReadChain } from './reading.ts'

/** Request header that asks for a protected round. */
export const protect = 'x-quorate-protect'

/**
 * Reads protected results: more than half of all nodes agree, witnesses included, however many cannot be reached. For what
 * precedes a signature or confirms a transaction.
 */
export function createReadProtected(gateway: string): ReadChain {
  return createReadChain(gateway, { [protect]: '1' })
}
