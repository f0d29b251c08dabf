import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RealName } from '../../../demo/nodes/clients/client-profiles.ts'
import { type Row, startRow } from '../../../demo/nodes/start.ts'
import { createChance } from '../../support/chance.ts'
import type { Host } from '../../support/host.ts'
import { hostsForOneFile } from '../../support/hosts.ts'
import { type Answered, isSame, saysTheSame } from '../../support/same-answer.ts'
import { type ChainId, startZooChain, type ZooChain } from './support/chain.ts'
import { populationOf, type RandomCall, randomCalls, readMethods } from './support/random-calls.ts'

/** Clients of each chain, and the number of calls. */
const clients = {
  1: ['geth', 'erigon', 'nethermind', 'besu', 'reth'],
  137: ['bor', 'erigon'],
  42161: ['nitro'],
} as const
const callsOf = { 1: 800, 137: 300, 42161: 300 } as const
const chainIds = [1, 137, 42161] as const
/** By votes alone, and by proofs where it can. */
const proofs = ['off', 'auto'] as const
const nodesCount = 5
const batchCalls = 50
const seed = Number(process.env.SEED ?? 1)

interface Stage {
  readonly chain: ZooChain
  readonly row: Row
  readonly calls: readonly RandomCall[]
  /** The reference answer to each call. */
  readonly truths: readonly Answered[]
}

const start = hostsForOneFile()
const stages = new Map<ChainId, Stage>()
let hosts: ReadonlyMap<string, Host>

beforeAll(async () => {
  for (const id of chainIds) stages.set(id, await startStage(id))
  const chains = [...stages].map(([id, { row }]) => ({
    id,
    nodes: row.nodes.map(({ name, url }) => ({ name, url })),
  }))
  const started = proofs.map(async (setting) => {
    const ofSetting = chains.map((chain) => ({ ...chain, proofs: setting }))
    return [setting, await start('alone', { config: { version: 1, chains: ofSetting, rate: null } })] as const
  })
  hosts = new Map(await Promise.all(started))
})
afterAll(async () => {
  for (const { row, chain } of stages.values()) {
    await row.stop()
    await chain.stop()
  }
})

test.each(proofs.flatMap((setting) => chainIds.map((id) => ({ setting, id }))))(
  'proofs $setting, chain $id: what mixed clients agree on equals the answer of the chain itself',
  async ({ setting, id }) => {
    const { row, calls, truths } = stages.get(id) as Stage
    const chance = createChance(seed)
    const url = `${hosts.get(setting)?.url}/api/rpc/${id}`
    const wrong: string[] = []
    let reverted = 0
    for (let from = 0; from < calls.length; from += batchCalls) {
      const cast = row.nodes.map(() => chance.pick<RealName>(clients[id]))
      await Promise.all(
        row.nodes.map((node, at) => node.setFaultProfile({ kind: 'real', name: cast[at] as RealName })),
      )
      const some = calls.slice(from, from + batchCalls)
      for (const [at, answer] of (await inBatches(url, some)).entries()) {
        const truth = truths[from + at] as Answered
        if (answer.error?.code === 3) reverted++
        if (!isRight(some[at] as RandomCall, answer, truth))
          wrong.push(
            `${JSON.stringify(some[at])}: ${JSON.stringify(answer)} for ${JSON.stringify(truth)}, ${cast}`,
          )
      }
    }
    expect(wrong.map((each) => each.slice(0, 600))).toEqual([])
    expect(reverted).toBeGreaterThan(10)
    expect(new Set(calls.map(([method]) => method))).toEqual(new Set(readMethods))
  },
)

async function startStage(id: ChainId): Promise<Stage> {
  const chain = await startZooChain(id)
  const nodes = Array.from({ length: nodesCount }, (_, place) => ({ name: `node-${place}` }))
  const row = await startRow({ chainUrl: chain.url, nodes })
  const calls = randomCalls(await populationOf(chain), seed, callsOf[id])
  return { chain, row, calls, truths: await inBatches(chain.url, calls) }
}

/** Clients search for estimates with different steps, and count the gas of an access list in two ways. */
function isRight([method]: RandomCall, answer: Answered, truth: Answered): boolean {
  if (isSame(answer, truth)) return true
  const { result: needed } = truth
  if (method === 'eth_estimateGas')
    return Number(answer.result) >= Number(needed) && Number(answer.result) <= Number(needed) * 1.1
  if (method !== 'eth_createAccessList') return false
  return saysTheSame(
    { ...(answer.result as object), gasUsed: null },
    { ...(needed as object), gasUsed: null },
  )
}

async function inBatches(url: string, all: readonly RandomCall[]): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  for (let from = 0; from < all.length; from += batchCalls) {
    const body = all
      .slice(from, from + batchCalls)
      .map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const replies = (await response.json()) as (Answered & { readonly id: number })[]
    answers.push(...replies.toSorted((one, other) => one.id - other.id))
  }
  return answers
}
