import type { HDAccount, Hex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** The words every anvil starts with. Everybody knows them: never send anything of worth to these accounts. */
export const demoMnemonic = 'test test test test test test test test test test test junk'

/** The n-th of the ten funded accounts of every local chain, able to sign. */
export function demoAccount(index: number): HDAccount {
  return mnemonicToAccount(demoMnemonic, { addressIndex: index })
}

/** An account's key, for libraries that want it as text. */
export function keyOf(account: HDAccount): Hex {
  return `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`
}
