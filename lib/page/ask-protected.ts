import { askGateway } from './ask.ts'
import type { AskChain } from './reading.ts'

/** Request header that asks for a protected round. */
export const protect = 'x-quorate-protect'

/**
 * Asks the gateway for protected results: more than half of all nodes agree, witnesses included, however many cannot be reached.
 * For what precedes a signature or confirms a transaction.
 */
export function askProtected(gateway: string): AskChain {
  return askGateway(gateway, { [protect]: '1' })
}
