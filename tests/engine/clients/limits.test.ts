import { setTimeout } from 'node:timers/promises'
import { FetchRequest, JsonRpcProvider } from 'ethers'
import { ethers as ethers5 } from 'ethers-v5'
import { http } from 'viem'
import { expect, test } from 'vitest'
import { createConfig } from 'wagmi'
import { getBalance } from 'wagmi/actions'
import { postJson } from '../../support/post-json.ts'
import { chain, chainId, siteForOneFile, unusedAddress } from './support/site.ts'
import { viemAt } from './support/viem.ts'

/**
 * Clients over a rate limit that ends soon. tests/engine/clients/results.md has their errors under a lasting limit.
 */
const site = siteForOneFile({
  nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  config: { rate: { costPerMinute: 1_000_000, siteCallsPerSecond: 1, trustedHops: 1 } },
})
const url = () => site().url()

/** ethers 6 reads the seconds of Retry-After as milliseconds, and would use up its twelve attempts at once. */
function patient(request: FetchRequest): FetchRequest {
  request.retryFunc = async (_, { headers }, attempt) => {
    await setTimeout(Number(headers['retry-after'] ?? 1) * 1000)
    return attempt < 3
  }
  return request
}

const address = unusedAddress(1000)
const reads: Readonly<Record<string, () => Promise<bigint>>> = {
  viem: () => viemAt(url()).getBalance({ address }),
  'viem, batching': () => viemAt(url(), { batch: true }).getBalance({ address }),
  wagmi: async () => {
    const config = createConfig({ chains: [chain], transports: { [chain.id]: http(url()) } })
    return (await getBalance(config, { address })).value
  },
  'ethers 6'() {
    const request = patient(new FetchRequest(url()))
    return new JsonRpcProvider(request, chainId, { staticNetwork: true }).getBalance(address)
  },
  async 'ethers 5'() {
    const provider = new ethers5.providers.StaticJsonRpcProvider({ url: url() }, chainId)
    return (await provider.getBalance(address)).toBigInt()
  },
}

test.each(Object.entries(reads))('%s waits, retries and gets its answer', async (_, read) => {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
  await postJson(url(), call, { 'x-forwarded-for': '192.0.2.1' })
  expect(await read()).toBe(0n)
})
