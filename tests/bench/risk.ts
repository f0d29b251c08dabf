import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import * as ours from '#rpc-proxy'
import { blockAt, hex } from '../support/scripted-chain.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { spreadOf } from './load.ts'
import { requestOf } from './request.ts'

type Engine = Pick<typeof ours, 'createGateway' | 'parseConfig' | 'SendFault'>

/** Fifty reads a second that nobody repeats, at chain 1 as shipped: three voters of weight 2, 2 and 1, and four witnesses. */
const callsEach = 3000
const gapMs = 20
const blockMs = 2000
const roundsAlone = 7
const roundsBeside = 40
const voters = ['a', 'b', 'c'].map((name, index) => ({ name, weight: index < 2 ? 2 : 1 }))
const witnesses = ['d', 'e', 'f', 'g'].map((name) => ({ name, role: 'witness' }))

interface Case {
  readonly name: string
  readonly engine: Engine
  readonly nodes: readonly object[]
  readonly down?: readonly string[]
  readonly isProtected?: true
}

interface Cost {
  readonly us: number
  readonly calls: number
  readonly toWitnesses: number
  readonly polls: number
}

/**
 * `npm run bench -- risk`: requests to nodes and processor time of a read, on a healthy day, with voters down and all protected.
 * `-- risk ../before` measures a healthy day alone, beside the engine of another checkout without witnesses.
 */
export async function benchRisk(before: string | undefined): Promise<void> {
  const all = [...voters, ...witnesses]
  const healthy: Case = { name: 'healthy', engine: ours, nodes: all }
  const cases: readonly Case[] =
    before === undefined
      ? [
          healthy,
          { name: 'one voter of weight 1 down', engine: ours, nodes: all, down: ['c'] },
          { name: 'one voter of weight 2 down', engine: ours, nodes: all, down: ['a'] },
          { name: 'two voters down', engine: ours, nodes: all, down: ['b', 'c'] },
          { name: 'all protected', engine: ours, nodes: all, isProtected: true },
        ]
      : [
          // Both with the same warm-up, in turn.
          healthy,
          { name: 'healthy, without witnesses', engine: ours, nodes: voters },
          { name: 'healthy, the other engine', engine: await engineIn(before), nodes: voters },
        ]
  const rounds = before === undefined ? roundsAlone : roundsBeside
  const measured = cases.map((each) => ({ each, costs: [] as Cost[] }))
  // The first round is for the compiler. Who is second finds a larger heap: they take turns.
  for (let round = 0; round <= rounds; round++)
    for (const { each, costs } of round % 2 === 0 ? measured : measured.toReversed()) {
      const cost = await costOf(each)
      if (round > 0) costs.push(cost)
    }
  console.log(
    `${'a read'.padEnd(30)}requests  to witnesses  head polls/s  µs: median (least to most) of ${rounds}`,
  )
  for (const { each, costs } of measured) console.log(line(each.name, costs))
}

async function engineIn(folder: string): Promise<Engine> {
  return (await import(pathToFileURL(resolve(join(folder, 'rpc-proxy/index.ts'))).href)) as Engine
}

async function costOf({ engine, nodes, down = [], isProtected }: Case): Promise<Cost> {
  const clock = virtualClock()
  const startMs = clock.now()
  const sent = { calls: 0, toWitnesses: 0, polls: 0 }
  const urls = nodes.map((node) => ({ ...node, url: `http://${(node as { name: string }).name}.test/` }))
  const chain = { id: 1, operatorsMin: 2, headMaxAgeMs: 2000, headLagMaxMs: null, nodes: urls }
  const config = engine.parseConfig({ chains: [chain], rate: null }, {})
  const gateway = engine.createGateway(config, {
    clock,
    random: () => 0.5,
    async send({ url, body }) {
      const name = new URL(url).hostname.replace('.test', '')
      const parsed: unknown = JSON.parse(body)
      const calls = (Array.isArray(parsed) ? parsed : [parsed]) as Call[]
      const polls = calls.filter(({ method }) => method !== 'eth_getBalance').length
      sent.polls += polls
      sent.calls += calls.length - polls
      if (witnesses.some((each) => each.name === name)) sent.toWitnesses += calls.length
      if (down.includes(name)) throw new engine.SendFault('connection-refused')
      const head = 1000 + Math.floor((clock.now() - startMs) / blockMs)
      const replies = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, result: resultOf(call, head) }))
      return {
        status: 200,
        retryAfter: null,
        body: JSON.stringify(Array.isArray(parsed) ? replies : replies[0]),
      }
    },
  })
  const before = process.cpuUsage()
  for (let index = 0; index < callsEach; index++) {
    const account = `0x${index.toString(16).padStart(40, '0')}`
    const text = `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["${account}","latest"]}`
    const request = requestOf(text)
    const header = (name: string) =>
      name === 'x-quorate-protect' && isProtected ? '1' : request.header(name)
    let body: string | null = null
    void gateway.handle({ ...request, header }).then((response) => {
      body = String(response.body)
    })
    await clock.until(() => body !== null)
    if (!(body as string | null)?.includes('"0x10"')) throw new Error(`the gateway answers ${body}`)
    await clock.advance(gapMs)
  }
  const { user, system } = process.cpuUsage(before)
  gateway.close()
  return { us: (user + system) / callsEach, ...sent }
}

interface Call {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

function resultOf({ method, params: [block] }: Call, head: number): unknown {
  if (method === 'eth_chainId') return hex(1)
  if (method === 'eth_getBalance') return '0x10'
  if (block === 'latest') return blockAt(head)
  return blockAt(block === 'safe' || block === 'finalized' ? head - 64 : Number(block))
}

function line(name: string, costs: readonly Cost[]): string {
  const { calls, toWitnesses, polls } = costs[0] as Cost
  const { median, least, most } = spreadOf(costs.map(({ us }) => us))
  const seconds = (callsEach * gapMs) / 1000
  const figures = [
    (calls / callsEach).toFixed(3).padEnd(10),
    (toWitnesses / callsEach).toFixed(3).padEnd(14),
    (polls / seconds).toFixed(2).padEnd(14),
    `${median.toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})`,
  ]
  return `${name.padEnd(30)}${figures.join('')}`
}
