import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callNode } from '../../../demo/json-rpc.ts'
import {
  clientProfiles,
  type RealName,
  type RealNode,
  realNames,
} from '../../../demo/nodes/clients/client-profiles.ts'
import { type Answered, isSame } from '../../support/same-answer.ts'
import { type ClientChain, startClientChain } from './support/chain.ts'
import { type Asking, startAsking } from './support/gateway.ts'
import { type Question, questions } from './support/questions.ts'

const voters = 3
const batchCallsMax = 20
const againMax = 10
const page = join(import.meta.dirname, '../../../docs/nodes.md')

/** Each chain with its answers to the questions, to each copy of them. */
const chains = new Map<number, { chain: ClientChain; truths: readonly (readonly Answered[])[] }>()
/** Rows that a caller would notice, and the nodes that they are of. */
const rows = new Map<string, RealName[]>()

beforeAll(async () => {
  for (const id of new Set(realNames.map((name) => clientProfiles[name].chainId))) {
    const chain = await startClientChain(id)
    chains.set(id, { chain, truths: await Promise.all(questions.map((each) => truthsOf(each, chain))) })
  }
})
afterAll(async () => {
  await Promise.all([...chains.values()].map(({ chain }) => chain.stop()))
})

test.each(realNames)('%s: the answer of the chain, or a clear error', async (name) => {
  const [one, two] = await Promise.all([1, 2].map((count) => noticedOf(name, count, questions)))
  // One of three without an answer is outvoted or skipped, so no caller notices.
  expect(one).toEqual(new Map())
  const noticed = two ?? new Map<Question, string>()
  expect([...noticed.values()].filter((outcome) => outcome.startsWith('WRONG'))).toEqual([])
  // Two are as bad as three, also where the honest one could have made up for two that refuse.
  const asked = questions.filter((each) => noticed.has(each) || mayRefuse(clientProfiles[name], each))
  expect(await noticedOf(name, 3, asked)).toEqual(noticed)
  for (const [question, outcome] of noticed) {
    const row = `| ${question.name} | ${outcome} |`
    rows.set(row, [...(rows.get(row) ?? []), name])
  }
})

/** `UPDATE_DOCS=1 vitest run --project live tests/engine/real-clients/outcomes.test.ts` writes the table. */
test('docs/nodes.md has the table of outcomes', () => {
  const text = readFileSync(page, 'utf8')
  const [before, rest = ''] = text.split(begin)
  const [, after = ''] = rest.split(end)
  const wanted = `${before}${begin}\n${table()}\n${end}${after}`
  if (process.env.UPDATE_DOCS === '1') writeFileSync(page, wanted)
  else expect(text).toBe(wanted)
})

const begin = '<!-- outcomes: written by tests/engine/real-clients/outcomes.test.ts -->'
const end = '<!-- /outcomes -->'
const right = 'answered'

function table(): string {
  const lines = [...rows].map(([row, names]) => `| ${names.join(', ')} ${row}`)
  return ['', '| node | question | two or three of three |', '|---|---|---|', ...lines, ''].join('\n')
}

/** Whether the profile has a limit that could concern this question, or a load balancer, which concerns all. */
function mayRefuse({ logsBlocks, logs, batch, edge }: RealNode, { method, copies = 1 }: Question): boolean {
  if (edge !== undefined || (batch !== undefined && copies > batch.most)) return true
  return method === 'eth_getLogs' && (logsBlocks !== undefined || logs !== undefined)
}

/** What is not answered where so many of three nodes are of this kind, and the others forward to the chain. */
async function noticedOf(
  name: RealName,
  count: number,
  wanted: readonly Question[],
): Promise<ReadonlyMap<Question, string>> {
  const known = chains.get(clientProfiles[name].chainId)
  if (known === undefined) throw new Error(`no chain of ${name}`)
  const { chain, truths } = known
  const asking = await startAsking({
    chain,
    batchCallsMax,
    faultProfiles: Array.from({ length: voters }, (_, place) =>
      place < count ? { kind: 'real', name } : 'honest',
    ),
  })
  const noticed = new Map<Question, string>()
  try {
    for (const question of wanted) {
      const truth = truths[questions.indexOf(question)] ?? []
      const outcomeNow = async () => outcomeOf(question, await answersTo(question, chain, asking), truth)
      let outcome = await outcomeNow()
      // One of two nodes behind a load balancer lacks the newest block, and connections take turns: a caller asks again.
      const isByTurns = clientProfiles[name].edge === 'two-nodes'
      for (let again = 0; isByTurns && outcome.startsWith('-32001') && again < againMax; again++)
        outcome = await outcomeNow()
      if (outcome !== right) noticed.set(question, outcome)
    }
    return noticed
  } finally {
    await asking.stop()
  }
}

async function answersTo(question: Question, chain: ClientChain, asking: Asking) {
  const { method } = question
  const given = await copiesOf(question, chain)
  if (given.length === 1) return [await asking.ask(method, given[0] ?? [])]
  return asking.batch(given.map((params) => [method, params] as const))
}

/** The params of each copy. */
const copiesOf = ({ params, copies = 1 }: Question, chain: ClientChain) =>
  Promise.all(Array.from({ length: copies }, (_, copy) => params(chain, copy)))

function outcomeOf(
  { isRight = isSame }: Question,
  answers: readonly Answered[],
  truths: readonly Answered[],
): string {
  const at = truths.findIndex((truth, copy) => !isRight(answers[copy] ?? {}, truth))
  if (at < 0) return right
  const [other = {}, truth] = [answers[at], truths[at]]
  // The part of a split range that an error message names differs between runs.
  if (other.error !== undefined) return `${other.error.code} ${other.error.message.replace(/: \d+$/, ': N')}`
  return `WRONG: ${JSON.stringify(other.result).slice(0, 200)} for ${JSON.stringify(truth).slice(0, 200)}`
}

async function truthsOf(question: Question, chain: ClientChain): Promise<readonly Answered[]> {
  const given = await copiesOf(question, chain)
  return Promise.all(given.map((params) => truthOf(question.method, params, chain)))
}

async function truthOf(method: string, params: readonly unknown[], chain: ClientChain): Promise<Answered> {
  try {
    return { result: await callNode(chain.url, method, params) }
  } catch (error) {
    return { error: (error as Error).cause } as Answered
  }
}
