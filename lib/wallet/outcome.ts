/** What a token's answer to `transfer` or `approve` says. */
export type PlanOutcome = 'done' | 'refused' | 'unreadable'

const wordCharacters = 2 + 64

/**
 * ERC-20 returns a bool: false is a failure without a revert. Some tokens, such as USDT on Ethereum, return nothing. Everything
 * else is unreadable, as for OpenZeppelin's SafeERC20.
 */
export function readOutcome(value: unknown): PlanOutcome {
  if (value === '0x') return 'done'
  if (typeof value !== 'string' || value.length < wordCharacters) return 'unreadable'
  const word = /^0x0{63}([01])/.exec(value)?.[1]
  if (word === undefined) return 'unreadable'
  return word === '1' ? 'done' : 'refused'
}
