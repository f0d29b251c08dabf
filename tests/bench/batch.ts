import { createGateway, parseConfig, type Send, systemClock } from '#rpc-proxy'
import { blockAt, hex } from '../support/scripted-chain.ts'
import { spreadOf } from './load.ts'
import { requestOf } from './request.ts'

const calls = 100
const rounds = 20
const word = (digit: string) => `0x${digit.repeat(64)}`

/** As many transactions as make half a megabyte. */
const transactions = Array.from({ length: 600 }, (_, index) => ({
  type: '0x7e',
  hash: `0x${index.toString(16).padStart(64, '0')}`,
  from: `0x${'f0'.repeat(20)}`,
  to: `0x${'70'.repeat(20)}`,
  blockHash: null,
  blockNumber: null,
  transactionIndex: null,
  sourceHash: word('5'),
  nonce: '0x1',
  gas: '0x5208',
  value: '0x1',
  input: `0x${'ab'.repeat(170)}`,
}))

/** Processor time of a hundred times the same full block in one batch, on a head that nobody has asked for yet. */
export async function benchBatch(): Promise<void> {
  let head = 1000
  const send: Send = ({ body }) => {
    const asked = JSON.parse(body) as Call | readonly Call[]
    const text = Array.isArray(asked) ? `[${asked.map(reply).join(',')}]` : reply(asked as Call)
    return Promise.resolve({ status: 200, retryAfter: null, body: text })
  }
  const full = new Map<number, string>()
  const reply = ({ id, method, params: [at, isFull] }: Call): string => {
    const number = at?.startsWith('0x') ? Number(at) : head
    const result =
      method === 'eth_chainId' ? '"0x1"' : isFull ? (full.get(number) ?? '') : JSON.stringify(blockAt(number))
    return `{"jsonrpc":"2.0","id":${id},"result":${result}}`
  }
  const nodes = ['a', 'b', 'c'].map((name) => ({ name, url: `http://${name}.test/` }))
  const limits = { answerBytesMax: 64 * 1024 * 1024, batchCallsMax: calls }
  const config = parseConfig({ chains: [{ id: 1, quorum: 2, nodes }], rate: null, limits }, {})
  const gateway = createGateway(config, { clock: systemClock(), random: () => 0.5, send })
  const spent: number[] = []
  for (let round = 0; round < rounds; round++) {
    head++
    full.set(head, JSON.stringify({ ...blockAt(head), transactions }))
    await gateway.refresh(-1)
    const before = process.cpuUsage()
    const { body } = await gateway.handle(requestOf(batch))
    const { user, system } = process.cpuUsage(before)
    if (!body.startsWith(`[{"jsonrpc":"2.0","id":0,"result":{"number":"${hex(head)}"`))
      throw new Error(body.slice(0, 300))
    spent.push((user + system) / 1000)
  }
  gateway.close()
  const { median, least } = spreadOf(spent.slice(rounds / 4))
  const kilobytes = Math.round((full.get(head)?.length ?? 0) / 1000)
  console.log(
    `${calls} times the same full block of ${kilobytes} kB in one batch, processor time on a fresh head`,
  )
  console.log(`median ${median.toFixed(1)} ms, least ${least.toFixed(1)} ms`)
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly [string?, boolean?]
}

const batch = `[${Array.from(
  { length: calls },
  (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"eth_getBlockByNumber","params":["latest",true]}`,
).join(',')}]`
