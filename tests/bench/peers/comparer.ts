import { Pool } from 'undici'
import { tellAnswers } from './listen.ts'

/** What a good engineer writes in an hour: asks two nodes, compares their bytes. No validation, no pin, no third node. */
const pools = process.argv.slice(2).map((url) => new Pool(url))
const headers = { 'content-type': 'application/json' }

async function ask(pool: Pool, body: string): Promise<string> {
  const response = await pool.request({ path: '/', method: 'POST', headers, body })
  return response.body.text()
}

tellAnswers(async (text) => {
  const [one, other] = await Promise.all(pools.map((pool) => ask(pool, text)))
  const isAgreed = one !== undefined && one === other
  return isAgreed ? one : '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"they disagree"}}'
})
