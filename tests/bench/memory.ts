import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createUndiciSend } from '#lib/transport/send-undici.ts'
import { createGateway, type GatewayRequest, parseConfig, type Send, systemClock } from '#rpc-proxy'
import { blockAt } from '../support/scripted-chain.ts'
import { startPeer, stopAll } from './processes.ts'
import { requestOf } from './request.ts'

const lies = 50
const lieChars = 1 << 20
const freshSeconds = 15
const lanes = 32
const readsOfHead = 20_000
const megabyte = 1 << 20

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What answers leave in memory: of outvoted nodes that say a megabyte each, and of reads that nobody repeats. */
export async function benchMemory(): Promise<void> {
  console.log(`${'what'.padEnd(50)}counted MB  heap MB  RSS MB  entries`)
  try {
    await fresh()
    await ofOneHead()
    await outvoted()
  } finally {
    stopAll()
  }
}

async function ofOneHead(): Promise<void> {
  let head = 1000
  const gateway = gatewayOf(
    1,
    scripted,
    networkOf(() => head),
  )
  await gateway.handle(callTo(1, '"eth_blockNumber","params":[]'))
  const before = heapBytes()
  for (let index = 0; index < readsOfHead; index++) {
    const account = `0x${index.toString(16).padStart(40, '0')}`
    await gateway.handle(callTo(1, `"eth_getBalance","params":["${account}","latest"]`))
  }
  report(`${readsOfHead} reads of one head`, gateway, before)
  head++
  await gateway.refresh(-1)
  await gateway.handle(callTo(1, `"eth_getBalance","params":["0x${'4'.repeat(40)}","latest"]`))
  report('the same, and a read of the next head', gateway, before)
  gateway.close()
}

async function outvoted(): Promise<void> {
  const gateway = gatewayOf(
    1,
    scripted,
    networkOf(() => 1000),
  )
  await gateway.handle(callTo(1, '"eth_blockNumber","params":[]'))
  const before = heapBytes()
  for (let index = 0; index < lies; index++) {
    const to = `0x${index.toString(16).padStart(40, '0')}`
    await gateway.handle(callTo(1, `"eth_call","params":[{"to":"${to}","data":"0x"},"0x3e8"]`))
  }
  report(`${lies} answers, and as many lies of ${lieChars / megabyte} MB`, gateway, before)
  gateway.close()
}

const scripted = ['http://liar.test/', 'http://b.test/', 'http://c.test/']

/** Three nodes without a network, of which the first lies at length. */
function networkOf(head: () => number): Send {
  return async ({ url, body }) => {
    const asked = JSON.parse(body) as Call | readonly Call[]
    const isLiar = url.includes('liar')
    const reply = (call: Call) =>
      `{"jsonrpc":"2.0","id":${call.id},"result":${JSON.stringify(resultOf(call, head(), isLiar))}}`
    const text = Array.isArray(asked) ? `[${asked.map(reply).join(',')}]` : reply(asked as Call)
    return { status: 200, retryAfter: null, body: text }
  }
}

const finality: ReadonlySet<unknown> = new Set(['safe', 'finalized'])

function resultOf({ method, params }: Call, head: number, isLiar: boolean): unknown {
  if (method === 'eth_chainId') return '0x1'
  if (method === 'eth_getBalance') return '0x10'
  const [target] = params
  if (method === 'eth_getBlockByNumber')
    return blockAt(target === 'latest' ? head : finality.has(target) ? head - 64 : Number(target))
  // Each lie is a text of its own, of as many characters.
  return isLiar ? (target as { readonly to: string }).to.padEnd(lieChars, 'ab') : '0x01'
}

async function fresh(): Promise<void> {
  const nodes = await Promise.all([startPeer('node.ts'), startPeer('node.ts'), startPeer('node.ts')])
  const network = createUndiciSend()
  const gateway = gatewayOf(137, nodes, network.send)
  await gateway.handle(callTo(137, '"eth_blockNumber","params":[]'))
  const before = heapBytes()
  const endMs = performance.now() + freshSeconds * 1000
  let count = 0
  const lane = async () => {
    while (performance.now() < endMs) {
      count += 1
      const account = `0x${count.toString(16).padStart(40, '2')}`
      await gateway.handle(callTo(137, `"eth_getBalance","params":["${account}","latest"]`))
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  const { rss } = process.memoryUsage()
  report(`${freshSeconds} s of reads that nobody repeats, ${count} of them`, gateway, before, rss)
  gateway.close()
  await network.close()
}

function gatewayOf(id: number, urls: readonly string[], send: Send) {
  const nodes = urls.map((url, priority) => ({ name: `n${priority}`, url, priority, inFlightMax: 256 }))
  const config = parseConfig({ chains: [{ id, quorum: 2, nodes }], rate: null }, {})
  return createGateway(config, { clock: systemClock(), random: () => 0.5, send })
}

function heapBytes(): number {
  collect()
  return process.memoryUsage().heapUsed
}

function report(
  what: string,
  gateway: ReturnType<typeof gatewayOf>,
  before: number,
  rss = process.memoryUsage().rss,
): void {
  const { bytes, entries } = gateway.snapshot().cache
  const shown = [bytes, heapBytes() - before, rss].map((value) => (value / megabyte).toFixed(1))
  const [counted = '', heap = '', resident = ''] = shown
  console.log(
    `${what.padEnd(50)}${counted.padEnd(12)}${heap.padEnd(9)}${resident.padEnd(8)}${entries.toString()}`,
  )
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

function callTo(chainId: number, call: string): GatewayRequest {
  return requestOf(`{"jsonrpc":"2.0","id":1,"method":${call}}`, chainId)
}
