import { isDeepStrictEqual } from 'node:util'
import { type Client, clients } from '../../../../demo/nodes/clients/reply-format.ts'
import type { FaultProfileInput } from '../../../../demo/nodes/fault-profile.ts'
import { startRow } from '../../../../demo/nodes/start.ts'
import { startNodes } from '../../../support/demo-nodes.ts'
import { bothGateways } from '../../../support/hosts.ts'
import { type Answered, saysTheSame } from '../../../support/same-answer.ts'
import { faults, faulty, isTrueInTheEnd, plantedWords } from './faults.ts'
import type { Combination } from './pairs.ts'
import { honest, methodKinds, questions } from './questions.ts'

const nodesOfAll = 6
/** How many of six nodes are faulty. */
const faultyNodes = { one: 1, 'below the quorum': 2, half: 3, 'above the quorum': 4 } as const
const needed = { half: 3, 'more than half': 4 } as const

export const dimensions = {
  fault: faults,
  // Each sends to the nodes in its own way.
  host: bothGateways,
  position: Object.keys(faultyNodes) as (keyof typeof faultyNodes)[],
  kind: methodKinds,
  shape: ['single', 'batch'],
  // The method only, or every call to the node.
  reach: ['method', 'whole'],
  quorum: ['half', 'more than half'],
} as const
export type FaultCase = Combination<typeof dimensions>
export type ChaosRun = Awaited<ReturnType<typeof startRun>>

export const secret = 'key-planted-in-a-url-7f3a'
/** Beyond what any machine takes: where the truth is due, no call may end because the machine is slow. */
const patientMs = 60_000
/** How long silent nodes are waited for, where there may be no result. */
const briefMs = 2000

/** Six nodes of one chain, the faulty ones first, so that every call meets them. */
export async function startRun(trouble: FaultCase, chainId: number) {
  const { fault, position, kind, reach, quorum, shape } = trouble
  // A node that is later than its stall in three polls rests: where the truth is due, no honest one may for a slow machine.
  const [deadlineMs, stallMs] = isTruthDue(trouble) ? [patientMs, 3000] : [briefMs, 150]
  const truth = await startNodes({ nodes: [{ name: 'truth', faultProfile: honest(kind, chainId) }] })
  const faultProfile = faulty(fault, { kind, chainId, isWhole: reach === 'whole' })
  const names = Array.from({ length: nodesOfAll }, (_, place) => `node-of-place-${place}`)
  const row = await startRow({
    chainUrl: truth.node('truth').url,
    nodes: names.map((name, place) => ({
      name,
      faultProfile: place < faultyNodes[position] ? faultProfile : honestAs(place),
    })),
  })
  const config = {
    id: chainId,
    quorum: needed[quorum] - 0.5,
    deadlineMs,
    nodes: names.map((name, place) => ({
      name,
      url: `${row.node(name).url}/v2/${secret}`,
      headers: { 'x-api-key': secret },
      priority: place + 1,
      stallMs,
      batchCallsMax: shape === 'batch' ? 10 : 1,
    })),
  }
  return { chainId, trouble, config, truth, row }
}

export async function endRun({ truth, row }: ChaosRun): Promise<void> {
  await row.stop()
  await truth.stop()
}

const liarsOf = ({ fault, position }: FaultCase) => (fault === 'lying' ? faultyNodes[position] : 0)

/** Whether enough nodes are honest that nothing else may be answered. */
function isTruthDue(trouble: FaultCase): boolean {
  const { fault, position, kind, shape, quorum } = trouble
  // A transaction is sent when one honest node has accepted it, and two are always honest.
  if (kind === 'send') return true
  if (liarsOf(trouble) >= needed[quorum]) return false
  const isTrue = isTrueInTheEnd(fault, shape === 'batch')
  return (isTrue ? nodesOfAll : nodesOfAll - faultyNodes[position]) >= needed[quorum]
}

/** Honest nodes of different clients: equal content in different forms. */
function honestAs(place: number): FaultProfileInput {
  return { kind: 'real', name: clients[place % clients.length] as Client }
}

type Entry = Awaited<ReturnType<typeof entryOf>>

/** Accepted outcomes. The lie is accepted only if the liars are a quorum. */
export type Met = 'the truth' | 'a clean error' | 'the lie of a quorum'

/** Asks twice, the second time with nodes that have a history. Returns the problems, one sentence each. */
export async function runCalls(trial: ChaosRun, url: string, met: Set<Met>): Promise<readonly string[]> {
  const { fault, position, kind, shape, reach, quorum } = trial.trouble
  const wrong: string[] = []
  for (const round of [0, 1]) {
    const n = round * 5
    const entries = shape === 'single' ? [await entryOf(trial, 7, n)] : await batchOf(trial, n)
    const body = JSON.stringify(shape === 'single' ? entries[0] : entries)
    const response = await fetch(`${url}/api/rpc/${trial.chainId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const text = await response.text()
    const found = [...leaks(text), ...judge(trial, entries, text, met)]
    for (const what of found)
      wrong.push(
        `chain ${trial.chainId}: ${fault}, ${position}, ${kind}, ${shape}, ${reach}, ${quorum}, round ${round}: ${what}`,
      )
  }
  return wrong
}

async function entryOf({ chainId, trouble: { kind } }: ChaosRun, id: unknown, n: number) {
  const { method, params } = questions[kind]
  return { jsonrpc: '2.0', id, method, params: await params(n, chainId) }
}

/** A batch with the method twice and a local call in between, with ids that differ only in type. */
async function batchOf(trial: ChaosRun, n: number): Promise<readonly Entry[]> {
  const between: Entry = { jsonrpc: '2.0', id: '7', method: 'eth_chainId', params: [] }
  return [await entryOf(trial, 7, n), between, await entryOf(trial, null, n + 1)]
}

function leaks(text: string): readonly string[] {
  const never = [secret, plantedWords, '127.0.0.1', 'http', 'node-of-place', '<', 'moment', '\u001b']
  return never.filter((word) => text.includes(word)).map((word) => `"${word}" left in ${text.slice(0, 300)}`)
}

type Said = Answered & { readonly jsonrpc?: unknown; readonly id?: unknown }

function judge(trial: ChaosRun, entries: readonly Entry[], text: string, met: Set<Met>): readonly string[] {
  let parsed: Said | readonly Said[]
  try {
    parsed = JSON.parse(text)
  } catch {
    return [`no JSON: ${text.slice(0, 200)}`]
  }
  const said = Array.isArray(parsed) ? parsed : [parsed]
  const isInOrder = isDeepStrictEqual(
    said.map(({ id, jsonrpc }) => [id, jsonrpc]),
    entries.map(({ id }) => [id, '2.0']),
  )
  if (!isInOrder || Array.isArray(parsed) !== entries.length > 1) return [`replies: ${text.slice(0, 300)}`]
  return entries.flatMap((entry, place) => judgeOne(trial, entry, said[place] ?? {}, met))
}

/** The honest value with enough honest nodes; otherwise that or an error with a reason; a lie only from a quorum of liars. */
function judgeOne(
  { chainId, trouble }: ChaosRun,
  entry: Entry,
  said: Said,
  met: Set<Met>,
): readonly string[] {
  if (entry.method === 'eth_chainId')
    return said.result === `0x${chainId.toString(16)}` ? [] : ['another chain id']
  const { kind, quorum } = trouble
  const { result, error }: Answered = questions[kind].truth({ ...entry })
  const isTruth = saysTheSame(said.result, result) && isDeepStrictEqual(said.error, error)
  if (isTruth) {
    met.add('the truth')
    return []
  }
  const reported = `"${JSON.stringify(said).slice(0, 200)}"`
  if (isTruthDue(trouble)) return [`not the truth: ${reported}`]
  if (liarsOf(trouble) >= needed[quorum]) {
    const lie: Answered = questions[kind].lie({ ...entry })
    if (saysTheSame(said.result, lie.result)) met.add('the lie of a quorum')
    return []
  }
  const isClean = 'error' in said && !('result' in said) && [-32010, -32001].includes(said.error?.code ?? 0)
  if (isClean) met.add('a clean error')
  return isClean ? [] : [`neither the truth nor a clean error: ${reported}`]
}
