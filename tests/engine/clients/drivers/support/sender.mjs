import { createPublicClient, createWalletClient, custom, defineChain } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { chainId, facts, privateKey, url } from './steps.mjs'

/**
 * Sends transactions for a client without a signer, with viem on top of its requests.
 *
 * @param {(method: string, params: unknown) => Promise<unknown>} ask
 */
export function senderBy(ask) {
  const chain = defineChain({
    id: chainId,
    name: 'Tried',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  })
  const transport = custom({ request: ({ method, params }) => ask(method, params) })
  const wallet = createWalletClient({ account: privateKeyToAccount(privateKey), chain, transport })
  const client = createPublicClient({ chain, transport, pollingInterval: 200 })
  return {
    async send() {
      const hash = await wallet.sendTransaction({ to: facts.richest, value: 1n })
      const { status, gasUsed } = await client.waitForTransactionReceipt({ hash })
      return { status, gasUsed }
    },
  }
}
