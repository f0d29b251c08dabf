import type { Claims, Peers } from '#lib/engine/peers.ts'
import { shareHeadPolls } from '#lib/redis/shared-head-polls.ts'
import { createSharedRandom } from '#lib/redis/shared-random.ts'
import { createGateway, parseConfig, type ResultPeers, type Send } from '#rpc-proxy'
import { blockAt } from '../support/scripted-chain.ts'
import { createChance } from './chance.ts'
import { createTime, type Time } from './time.ts'

/** What a fleet of replicas asks of three honest nodes and of Redis, per second. */
interface FleetCost {
  readonly reads: number
  readonly heads: number
  /** Commands of replicas to Redis, messages included. */
  readonly commands: number
  /** What Redis delivers: each message to each replica. */
  readonly deliveries: number
}

const startMs = 1_700_000_000_000
const blockMs = 2_000
const warmUpMs = 10_000
const lengthMs = 60_000
const nodeMs = 30
const redisMs = 1
const accounts = 500
const nodeNames = ['a', 'b', 'c']

/** The same load on one replica or on many: so many calls per second for the balance of one of 500 accounts at the head. */
function costOfFleet(replicas: number, callsPerSecond: number): FleetCost {
  const time = createTime(startMs, () => {})
  const chance = createChance(replicas)
  const count = { reads: 0, heads: 0, commands: 0, deliveries: 0 }
  const isCounted = () => time.now() >= startMs + warmUpMs
  const add = (what: keyof typeof count, times = 1) => {
    if (isCounted()) count[what] += times
  }
  const after = (ms: number, run: () => void) => time.at(time.now() + ms, chance.next(), run)
  const nodes = nodesOf(time, (method) => add(method === 'eth_getBlockByNumber' ? 'heads' : 'reads'), after)
  const kept = new Map<string, string>()
  const results: ResultPeers = {
    find: ({ key }) => {
      add('commands')
      return new Promise((resolve) => after(redisMs, () => resolve(kept.get(key) ?? null)))
    },
    keep({ key }, text) {
      add('commands')
      after(redisMs / 2, () => kept.set(key, text))
    },
  }
  const claims = new Set<string>()
  const takes = Array.from({ length: replicas }, () => new Map<string, (value: unknown) => void>())
  const config = parseConfig(
    {
      rate: null,
      chains: [
        {
          id: 1,
          headLagMaxMs: null,
          nodes: nodeNames.map((name) => ({ name, url: `http://${name}.test/` })),
        },
      ],
    },
    {},
  )
  const gateways = takes.map((own, index) => {
    const send = (kind: string, value: unknown) => {
      add('commands')
      add('deliveries', replicas)
      for (const [other, each] of takes.entries())
        if (other !== index) after(redisMs, () => each.get(kind)?.(value))
    }
    const peers: Peers & Claims = {
      send,
      claim(name) {
        add('commands')
        return new Promise((resolve) =>
          after(redisMs, () => {
            if (claims.has(name)) return resolve(null)
            claims.add(name)
            resolve(() => {
              add('commands')
              after(redisMs / 2, () => claims.delete(name))
            })
          }),
        )
      },
      on: (kind, take) => void own.set(kind, take),
      onJoin: () => {},
      isJoined: () => true,
    }
    const polls =
      replicas === 1
        ? null
        : shareHeadPolls(nodes, { peers, clock: time, chainOf: () => 1, onSaved: () => {} })
    const gateway = createGateway(config, {
      clock: time,
      random: chance.next,
      send: polls?.send ?? nodes,
      ...(replicas > 1 && { resultPeers: results, sharedRandom: createSharedRandom(time.now) }),
    })
    polls?.onPolled((id, tag) => gateway.refreshHead(id, tag, 250))
    return gateway
  })
  const endMs = startMs + warmUpMs + lengthMs
  let call = 0
  const next = () => {
    const account = `0x${chance.int(accounts).toString(16).padStart(40, '0')}`
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["${account}","latest"]}`
    void gateways[call++ % replicas]?.handle({
      ...{ method: 'POST', path: '/api/rpc/1', caller: null, origin: null },
      header: (name) => (name === 'content-type' ? 'application/json' : null),
      body: async () => ({ text: body }),
      signal: new AbortController().signal,
    })
    if (time.now() < endMs) after(1000 / callsPerSecond, next)
  }
  next()
  time.run(endMs)
  for (const gateway of gateways) gateway.close()
  const perSecond = (what: keyof typeof count) => count[what] / (lengthMs / 1000)
  return {
    ...{ reads: perSecond('reads'), heads: perSecond('heads') },
    ...{ commands: perSecond('commands'), deliveries: perSecond('deliveries') },
  }
}

/** Honest nodes of a chain with a block every two seconds. */
function nodesOf(
  time: Time,
  onCall: (method: string) => void,
  after: (ms: number, run: () => void) => void,
): Send {
  const head = () => 1000 + Math.floor((time.now() - startMs) / blockMs)
  const resultOf = (method: string, [first]: readonly unknown[]): unknown => {
    if (method === 'eth_chainId') return '0x1'
    if (method !== 'eth_getBlockByNumber') return '0x10'
    const text = String(first)
    return blockAt(text.startsWith('0x') ? Number(text) : text === 'latest' ? head() : head() - 64)
  }
  return ({ body }) =>
    new Promise((resolve) => {
      const parsed = JSON.parse(body) as Call | readonly Call[]
      const calls = Array.isArray(parsed) ? (parsed as readonly Call[]) : [parsed as Call]
      for (const { method } of calls) onCall(method)
      after(nodeMs, () => {
        const replies = calls.map(({ id, method, params }) => ({
          jsonrpc: '2.0',
          id,
          result: resultOf(method, params),
        }))
        resolve({
          status: 200,
          retryAfter: null,
          body: JSON.stringify(Array.isArray(parsed) ? replies : replies[0]),
        })
      })
    })
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** The same loads on fleets of several sizes. */
export function printFleets(): void {
  console.log('replicas  calls/s       reads       heads    commands  deliveries, per second')
  for (const callsPerSecond of [100, 1_000])
    for (const replicas of [1, 3, 10, 100]) {
      const { reads, heads, commands, deliveries } = costOfFleet(replicas, callsPerSecond)
      const cells = [reads, heads, commands, deliveries].map((each) => each.toFixed(0).padStart(12))
      console.log(`${String(replicas).padStart(8)} ${String(callsPerSecond).padStart(8)}${cells.join('')}`)
    }
}
