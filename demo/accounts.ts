import type { HDAccount, Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** The default mnemonic of anvil. It is public: never send anything of value to these accounts. */
export const demoMnemonic = 'test test test test test test test test test test test junk'

/** The n-th of the ten funded accounts of every local chain, with its key. */
export function demoAccount(index: number): HDAccount {
  return mnemonicToAccount(demoMnemonic, { addressIndex: index })
}

/** The private key of an account as text. */
export function keyOf(account: HDAccount): Hex {
  return `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`
}
