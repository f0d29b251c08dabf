import { setTimeout as pause } from 'node:timers/promises'
import type { DemoCall } from '../../demo/nodes/demo-call.ts'
import { type Nodes, startNodes } from '../../demo/nodes/start.ts'
import { blockAt, hex } from '../support/scripted-chain.ts'
import { startServer, stop } from './processes.ts'

const visitors = 6
/** At each of these moments of a block two visitors open the page at once. */
const moments = 3
const blockMs = 2_000
const nodeMs = 30
const warmUpMs = 6_000
const lengthMs = Number(process.env.BENCH_SECONDS ?? 20) * 1_000
const nodeNames = ['a', 'b', 'c', 'd']
/** Of each caller: one of them spends it, and a visitor a small part. */
const costBurst = 1_000
const inFlight = 16
const refusalsMax = 50

interface Asked {
  readonly calls: number
  readonly reads: number
  readonly heads: number
  /** Calls that one caller was granted before its budget was spent. */
  readonly granted: number
}

/** The same load on 1, 3 and 10 gateways with one Redis: what each node is sent for a call, and what a caller is granted. */
export async function benchRequests(env: Readonly<Record<string, string>>): Promise<void> {
  const nodes = await startNodes({
    nodes: nodeNames.map((name) => ({ name, faultProfile: { kind: 'scripted', answer }, packing: 'plain' })),
  })
  try {
    console.log('replicas  calls/s   reads  of one   heads  of one  in all  of one  granted  of one')
    let alone: Asked | null = null
    for (const replicas of [1, 3, 10]) {
      const asked = await askedOf(replicas, nodes, env)
      alone ??= asked
      console.log(lineOf(replicas, asked, alone))
    }
    console.log('Requests to each node for a call, aim: 1.2 x; granted of a budget, aim: 0.95 to 1.05 x.')
  } finally {
    await nodes.stop()
  }
}

async function askedOf(
  replicas: number,
  nodes: Nodes,
  env: Readonly<Record<string, string>>,
): Promise<Asked> {
  const config = {
    version: 1,
    rate: { costPerMinute: 1, costBurst, trustedHops: 1 },
    chains: [{ id: 137, headLagMaxMs: null, nodes: nodes.nodes.map(({ name, url }) => ({ name, url })) }],
  }
  const start = () =>
    startServer(['server.ts', '--rpc-only'], { ...env, RPC_CONFIG: JSON.stringify(config) }, '/api/rpc/ready')
  const gateways = await Promise.all(Array.from({ length: replicas }, start))
  const send = inTurn(gateways)
  await visit(send, warmUpMs)
  for (const node of nodes.nodes) node.clearRequests()
  const calls = await visit(send, lengthMs)
  const sent = nodes.nodes.flatMap((node) => node.requests()).flatMap((request) => request.calls)
  const heads = sent.filter(isForHead).length
  const granted = await spend(send)
  for (const url of gateways) stop(url)
  return { calls, heads, reads: sent.length - heads, granted }
}

type SendCall = (caller: string, method: string, params: readonly unknown[]) => Promise<Response>

/** As a load balancer: the next gateway is sent the next call. */
function inTurn(gateways: readonly string[]): SendCall {
  let count = 0
  return (caller, method, params) =>
    fetch(`${gateways[count++ % gateways.length]}/api/rpc/137`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': caller },
      body: JSON.stringify({ jsonrpc: '2.0', id: count, method, params }),
    })
}

/** Visitors of a wallet's page, which reads all of this again at each block. Returns how many calls they made. */
async function visit(send: SendCall, ms: number): Promise<number> {
  const endMs = performance.now() + ms
  let calls = 0
  const page = async (visitor: number) => {
    await pause(((visitor % moments) * blockMs) / moments)
    while (performance.now() < endMs) {
      const next = pause(blockMs)
      const reads = pageOf(`0x${'a'.repeat(39)}${visitor}`)
      calls += reads.length
      const responses = await Promise.all(
        reads.map(([method, ...params]) => send(`192.0.2.${visitor}`, method, params)),
      )
      const texts = await Promise.all(responses.map((response) => response.text()))
      const wrong = texts.find((text) => !text.includes('"result"'))
      if (wrong !== undefined) throw new Error(wrong)
      await next
    }
  }
  await Promise.all(Array.from({ length: visitors }, (_, visitor) => page(visitor)))
  return calls
}

/** Half of the reads are the same for all visitors. */
function pageOf(account: string): readonly (readonly [string, ...unknown[]])[] {
  const call = (token: number, data: string) =>
    ['eth_call', { to: `0x${String(token).repeat(40)}`, data }, 'latest'] as const
  const ofAccount = `0x70a08231${account.slice(2).padStart(64, '0')}`
  return [
    ['eth_blockNumber'],
    ['eth_getBalance', account, 'latest'],
    ['eth_getTransactionCount', account, 'latest'],
    ...[1, 2].map((token) => call(token, ofAccount)),
    ['eth_estimateGas', { from: account, to: `0x${'7'.repeat(40)}`, value: '0x1' }],
    ...[1, 2].map((token) => call(token, '0x18160ddd')),
    ['eth_gasPrice'],
    ['eth_getBalance', `0x${'7'.repeat(40)}`, 'latest'],
  ]
}

/** Calls of one caller, none like another, until it is refused. Returns how many were answered. */
async function spend(send: SendCall): Promise<number> {
  let [count, granted, refused] = [0, 0, 0]
  const spender = async () => {
    while (refused < refusalsMax) {
      const account = `0x${(count++).toString(16).padStart(40, '0')}`
      const { status } = await send('192.0.2.99', 'eth_getBalance', [account, 'latest'])
      if (status === 200) granted += 1
      else refused += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, spender))
  return granted
}

const isForHead = ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) =>
  method === 'eth_getBlockByNumber' && !String(params[0]).startsWith('0x')

/** An honest node of a chain with a block every two seconds. */
function answer({ method, params }: DemoCall) {
  return { result: resultOf(method, params), delayMs: nodeMs }
}

function resultOf(method: string, [first, block]: readonly unknown[]): unknown {
  if (method === 'eth_chainId') return hex(137)
  if (method === 'eth_getBlockByNumber') return blockAt(numberOf(first))
  if (method === 'eth_estimateGas') return '0x5208'
  if (method !== 'eth_feeHistory') return '0x10'
  return {
    oldestBlock: hex(numberOf(block) - 19),
    baseFeePerGas: Array.from({ length: 21 }, () => '0x7'),
    gasUsedRatio: Array.from({ length: 20 }, () => 0.5),
    reward: Array.from({ length: 20 }, () => ['0x1']),
  }
}

function numberOf(tag: unknown): number {
  if (String(tag).startsWith('0x')) return Number(tag)
  const head = 1_000 + Math.floor(performance.now() / blockMs)
  return tag === 'latest' ? head : head - 64
}

function lineOf(replicas: number, asked: Asked, alone: Asked): string {
  const perCall = (of: (each: Asked) => number) => {
    const [own, one] = [asked, alone].map((each) => of(each) / nodeNames.length / each.calls)
    return [(own ?? 0).toFixed(3), ((own ?? 0) / (one ?? 1)).toFixed(2)]
  }
  return [
    String(replicas).padStart(8),
    (asked.calls / (lengthMs / 1_000)).toFixed(0).padStart(8),
    ...[
      ...perCall(({ reads }) => reads),
      ...perCall(({ heads }) => heads),
      ...perCall(({ reads, heads }) => reads + heads),
      ...[asked.granted, (asked.granted / alone.granted).toFixed(2)],
    ].map((each) => String(each).padStart(7)),
  ].join(' ')
}
