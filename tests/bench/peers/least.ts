import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool } from 'undici'
import { listenLocally } from './listen.ts'

/**
 * The least that a gateway can do which keeps our promises: a body and replies of limited size that are parsed and checked, a budget of
 * each caller, a cache, two nodes asked within the stall, their results compared, a record of who said what, and our headers. No
 * heads, third node, faults, tracing, metrics or settings. What it takes above the first baseline is what we cannot save.
 */
const bytesMax = 1_048_576
const stallMs = 750
const entriesMax = 5000
const [headerText = '{}', ...urls] = process.argv.slice(2)
const headers: Readonly<Record<string, string>> = JSON.parse(headerText)
const pools = urls.map((url) => new Pool(url))
const budgets = new Map<string, { left: number; sinceMs: number }>()
const results = new Map<string, string>()
const records = new Map<number, object>()
let asked = 0

interface Call {
  readonly jsonrpc: string
  readonly id: number
  readonly method: string
  readonly params: readonly [string, string]
}

const isCall = ({ jsonrpc, method, params }: Call) =>
  jsonrpc === '2.0' &&
  typeof method === 'string' &&
  Array.isArray(params) &&
  /^0x[0-9a-fA-F]{40}$/.test(params[0]) &&
  typeof params[1] === 'string'

/** The last ones only, of whatever is remembered. */
function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= entriesMax) return
    map.delete(oldest)
  }
}

function canPay(caller: string): boolean {
  const nowMs = Date.now()
  const budget = budgets.get(caller) ?? { left: 1e9, sinceMs: nowMs }
  budget.left = Math.min(1e9, budget.left + (nowMs - budget.sinceMs) * 1e6) - 1
  budget.sinceMs = nowMs
  remember(budgets, caller, budget)
  return budget.left >= 0
}

async function ask(pool: Pool, body: string): Promise<string> {
  const response = await pool.request({
    path: '/',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const text = await response.body.text()
  const { id, result } = JSON.parse(text.slice(0, bytesMax))
  if (id !== 1 || typeof result !== 'string' || !/^0x(0|[1-9a-f][0-9a-f]*)$/.test(result))
    throw new Error(text)
  return result
}

/** What two nodes agree on, or null. */
async function agreed({ method, params: [account] }: Call): Promise<string | null> {
  if (pools.length === 0) return '0x10'
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [account, '0x3e9'] })
  let timer: NodeJS.Timeout | undefined
  const stalled = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, stallMs, null)
  })
  const said = await Promise.race([Promise.all(pools.map((pool) => ask(pool, body))), stalled])
  clearTimeout(timer)
  if (said === null || said[0] !== said[1]) return null
  remember(records, asked++, { method, account, said, ms: Date.now() })
  return said[0] ?? null
}

async function answer(request: IncomingMessage, response: ServerResponse, text: string): Promise<void> {
  const call: Call = JSON.parse(text)
  if (!isCall(call) || !canPay(request.socket.remoteAddress ?? '')) return void response.writeHead(400).end()
  const key = `${call.method} ${call.params[0].toLowerCase()} ${call.params[1]}`
  const result = results.get(key) ?? (await agreed(call))
  if (result === null) return void response.writeHead(502).end()
  remember(results, key, result)
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(call.id)},"result":"${result}"}`
  response.writeHead(200, { ...headers, 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= bytesMax) chunks.push(chunk)
    else request.destroy()
  })
  request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()))
})

listenLocally(server)
