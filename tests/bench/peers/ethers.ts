import { createServer } from 'node:http'
import { FallbackProvider, JsonRpcProvider } from 'ethers'
import { told } from './told.ts'

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

const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', async () => {
    const { id, params } = JSON.parse(text) as { id: number; params: [string] }
    const balance = await provider.getBalance(params[0])
    const body = `{"jsonrpc":"2.0","id":${id},"result":"0x${balance.toString(16)}"}`
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
})

told(server)
