import { toUnits } from '#lib/page/quantity.ts'
import { agreedValue, type Reading } from '#lib/page/reading.ts'

/** The code of an EOA with an EIP-7702 delegation: this prefix and the contract's address. */
const delegation = /^0xef0100[0-9a-f]{40}$/i

export function isContract(code: Reading | undefined): boolean {
  if (code?.state !== 'agreed' || code.value === '0x') return false
  return !(typeof code.value === 'string' && delegation.test(code.value))
}

export function agreedUnits(reading: Reading | undefined): bigint | null {
  return toUnits(agreedValue(reading))
}

/** What a token's answer to `transfer` or `approve` says. */
type Outcome = 'done' | 'refused' | 'unreadable'

const wordCharacters = 2 + 64

/**
 * ERC-20 returns a bool: false is a failure without a revert. Some tokens, such as USDT on Ethereum, return nothing. Everything
 * else is unreadable, as for OpenZeppelin's SafeERC20.
 */
export function readOutcome(value: unknown): Outcome {
  if (value === '0x') return 'done'
  if (typeof value !== 'string' || value.length < wordCharacters) return 'unreadable'
  const word = /^0x0{63}([01])/.exec(value)?.[1]
  if (word === undefined) return 'unreadable'
  return word === '1' ? 'done' : 'refused'
}
