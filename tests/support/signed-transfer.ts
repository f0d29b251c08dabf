import { keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

export const sender = privateKeyToAccount(`0x${'11'.repeat(32)}`)

/** The raw bytes of a transfer of the sender's. */
export const signTransfer = (nonce: number, chainId = 1, value = 1n) =>
  sender.signTransaction({
    chainId,
    nonce,
    gas: 21_000n,
    maxFeePerGas: 10n,
    maxPriorityFeePerGas: 1n,
    to: `0x${'22'.repeat(20)}`,
    value,
  })

/** One that is on no chain yet, and its hash. */
export const raw = await signTransfer(7)
export const hash = keccak256(raw)
