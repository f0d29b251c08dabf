import { createPublicClient, http, parseGwei } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import type { Scenario } from './scenarios.ts'

/** How many of the local chains' accounts send; each sends its transactions with nonces that follow each other. */
const senders = 10
/** Anvil's default mnemonic. It is public. */
const mnemonic = 'test test test test test test test test test test test junk'

/** Transfers of one wei, signed before the run: what they cost this program is in no figure. */
export async function transfers(url: string, total: number): Promise<Scenario> {
  const client = createPublicClient({ transport: http(url, { retryCount: 0 }) })
  const accounts = Array.from({ length: senders }, (_, addressIndex) =>
    mnemonicToAccount(mnemonic, { addressIndex }),
  )
  const chainId = await client.getChainId()
  const nonces = await Promise.all(accounts.map(({ address }) => client.getTransactionCount({ address })))
  const fees = { maxFeePerGas: parseGwei('200'), maxPriorityFeePerGas: parseGwei('30'), gas: 21_000n }
  const bodies = await Promise.all(
    Array.from({ length: total }, async (_, count) => {
      const sender = count % senders
      const account = accounts[sender] as (typeof accounts)[number]
      const nonce = (nonces[sender] ?? 0) + Math.floor(count / senders)
      const raw = await account.signTransaction({ chainId, nonce, to: account.address, value: 1n, ...fees })
      return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] })
    }),
  )
  return (count) => bodies[count] ?? ''
}
