import { setTimeout } from 'node:timers/promises'
import { FetchRequest, JsonRpcProvider } from 'ethers'
import { ethers as ethers5 } from 'ethers-v5'
import { type Address, http } from 'viem'
import { createConfig } from 'wagmi'
import { getBalance } from 'wagmi/actions'
import { chain, chainId, unusedAddress } from './site.ts'
import { viemAt } from './viem.ts'

let asked = 0
/** A new address, so that no answer is cached. */
export const fresh = (): Address => unusedAddress(1000 + asked++)

/** One read by each client through one gateway. */
export function clientsAt(url: () => string) {
  const ethers6 = (request = patient(new FetchRequest(url()))) =>
    new JsonRpcProvider(request, chainId, { staticNetwork: true, cacheTimeout: -1 })
  const v5 = () => new ethers5.providers.StaticJsonRpcProvider({ url: url() }, chainId)
  const wagmi = () => createConfig({ chains: [chain], transports: { [chain.id]: http(url()) } })
  const reads: Readonly<Record<string, () => Promise<bigint>>> = {
    viem: () => viemAt(url()).getBalance({ address: fresh() }),
    'viem, batching': () => viemAt(url(), { batch: true }).getBalance({ address: fresh() }),
    wagmi: async () => (await getBalance(wagmi(), { address: fresh() })).value,
    'ethers 6': () => ethers6().getBalance(fresh()),
    'ethers 5': async () => (await v5().getBalance(fresh())).toBigInt(),
  }
  return { ethers6, v5, wagmi, reads }
}

/** ethers 6 reads Retry-After seconds as milliseconds and uses up its twelve attempts at once, see docs/clients.md. */
function patient(request: FetchRequest): FetchRequest {
  request.retryFunc = async (_, { headers }, attempt) => {
    await setTimeout(Number(headers['retry-after'] ?? 1) * 1000)
    return attempt < 3
  }
  return request
}

/** Returns the error of a call that must fail. */
export function thrownBy(read: Promise<unknown>) {
  return read.then(
    () => {
      throw new Error('it was expected to fail')
    },
    (error) => error,
  )
}
