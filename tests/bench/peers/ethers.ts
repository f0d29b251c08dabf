import { FallbackProvider, JsonRpcProvider } from 'ethers'
import { tellAnswers } from './listen.ts'

/** The usual library for a quorum, behind a bare server. */
const provider = new FallbackProvider(
  process.argv.slice(2).map((url) => ({
    provider: new JsonRpcProvider(url, 137, { staticNetwork: true, batchMaxCount: 1 }),
    stallTimeout: 750,
    weight: 1,
  })),
  137,
  { quorum: 2, cacheTimeout: -1 },
)

tellAnswers(async (text) => {
  const { id, params } = JSON.parse(text) as { id: number; params: [string] }
  const balance = await provider.getBalance(params[0])
  return `{"jsonrpc":"2.0","id":${id},"result":"0x${balance.toString(16)}"}`
})
