import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { hostsForOneFile, hostsOfEngine } from '../support/hosts.ts'
import { hex } from '../support/scripted-chain.ts'
import { until } from '../support/until.ts'
import { callsOf, headCalls, isInvented, logsAt, protect, repliesOf, sideOf } from './support/risk-calls.ts'
import { isDoubted, outcomeOf } from './support/risk-oracle.ts'
import { type RiskRow, rows } from './support/risk-rows.ts'
import { deadlineMs, RiskTable, soonMs } from './support/risk-table.ts'
import { readings, tokenOf } from './support/risk-token.ts'
import type { Written } from './support/script.ts'
import { stageOn } from './support/stage.ts'

// docs/risk.md, cell by cell: who is poisoned, who is silent and how, which caller asks for what. What must come of it is
// computed from the weights alone, by risk-oracle.ts.
const start = hostsForOneFile()
const protectHeader = { 'x-quorate-protect': '1' }
const shippedRows = rows.filter(({ title }) => title.startsWith('as shipped'))
/** The poisoned have a chain of their own, ahead of the other. */
const inventing = { head: 1010, fork: { name: 'lie', from: 0 } }
/** No honest node takes as long, on any machine. */
const honestStallMs = 5000
const stallOf = ({ nodes }: RiskRow) =>
  nodes.some(({ faultProfile }) => faultProfile === 'hanging') ? 1000 : honestStallMs

describe.each(hostsOfEngine)('%s', (kind) => {
  const stage = stageOn(kind, start)
  const caseOf = (row: RiskRow, ofPoisoned: Partial<Written> = {}) => {
    const { title, nodes, operatorsMin } = row
    const written = nodes.map((node) => ({
      ...writtenOf(node),
      ...(node.conduct === 'poisoned' && ofPoisoned),
    }))
    const options = { operatorsMin, deadlineMs, stallMs: stallOf(row), headMaxAgeMs: 1000, protect }
    return { title, row, chain: stage.chain(written, options) }
  }
  const cases = rows.map((row) => caseOf(row))

  test.concurrent.each(cases)('$title', async ({ row, chain }) => {
    const table = new RiskTable(row, chain)
    // At first nobody is known to be silent. Protected callers come last, because they may expose liars to everybody.
    await table.ask(callsOf('everyday'))
    await table.ask(callsOf('protected'))
    await until(async () => {
      await table.ask(callsOf('everyday').slice(0, 1))
      return table.knowsTheSilent()
    }, soonMs)
    await table.ask([...callsOf('everyday'), ...callsOf('protected')])
    await until(async () => table.isHealthRight(await stage.read('health')), soonMs)
    table.compareMetrics(await stage.read('metrics'))
    expect(table.wrong).toEqual([])
  })

  const invented = shippedRows.map((row) => caseOf(row, inventing))
  test.concurrent.each(invented)(
    '$title, and a head is invented: never for a protected caller',
    async ({ row, chain }) => {
      for (const call of headCalls()) {
        await chain.ask(call.method, call.params)
        const { result, error, ms } = await chain.ask(call.method, call.params, protectHeader)
        const isTold = outcomeOf(row, 'protected').side === 'truth'
        expect([call.method, error?.code]).toEqual([call.method, isTold ? undefined : -32010])
        expect(isInvented(call, result)).toBe(false)
        expect(ms).toBeLessThan(soonMs)
      }
    },
  )

  const keeping = ['the third not heard, all witnesses honest', 'the third answers 429, all witnesses silent']
  const kept = shippedRows.filter(({ title }) => keeping.some((each) => title.endsWith(each)))
  test.concurrent.each(kept.map((row) => caseOf(row)))(
    '$title: what everyday callers are told is kept, and never for a protected caller',
    async ({ row, chain }) => {
      await chain.ask('eth_getBalance', [`0x${'ac'.repeat(20)}`, 'finalized'])
      const calls = [...callsOf('everyday'), logsAt(hex(900))]
      const told = await Promise.all(calls.map(({ method, params }) => chain.ask(method, params)))
      expect(calls.map((call, index) => sideOf(call, told[index]?.result))).toContain('lie')
      const caches: (string | undefined)[] = []
      for (const [index, { method, params }] of calls.entries()) {
        const { result, headers } = await chain.ask(method, params)
        caches.push(headers['x-quorate-cache'])
        const call = calls[index] as (typeof calls)[number]
        if (headers['x-quorate-cache'] !== 'hit') {
          // Meanwhile more may be known of the silent.
          expect(['truth', sideOf(call, told[index]?.result)]).toContain(sideOf(call, result))
          continue
        }
        expect(result).toEqual(told[index]?.result)
        expect(headers['x-quorate-thin']).toBe(told[index]?.headers['x-quorate-thin'])
      }
      expect(caches).toContain('hit')
      for (const call of calls) {
        const { result, headers } = await chain.ask(call.method, call.params, protectHeader)
        expect([call.method, sideOf(call, result)]).toEqual([call.method, outcomeOf(row, 'protected').side])
        expect(headers['x-quorate-cache']).not.toBe('hit')
      }
    },
  )

  // Of one weight, in the order in which they are asked. Where two of four are asked first, what they say is a result every day:
  // docs/risk.md, what stays possible.
  const outsiders = {
    'one of three': { voters: ['lie', 'truth', 'truth'], witnesses: 0, callers: [{}, protectHeader] },
    'two of four, an honest one asked with them': {
      voters: ['lie', 'truth', 'lie', 'truth'],
      witnesses: 3,
      callers: [{}, protectHeader],
    },
    'two of four, asked first': {
      voters: ['lie', 'lie', 'truth', 'truth'],
      witnesses: 3,
      callers: [protectHeader],
    },
  } as const
  const tokens = Object.entries(outsiders).map(([title, { voters, witnesses, callers }]) => {
    const scripts = [
      ...voters.map((side): Written => ({ on: { eth_call: tokenOf(side) } })),
      ...Array.from(
        { length: witnesses },
        (): Written => ({ role: 'witness', on: { eth_call: tokenOf('truth') } }),
      ),
    ]
    return {
      title,
      callers,
      chain: stage.chain(scripts, { operatorsMin: 2, deadlineMs, stallMs: honestStallMs }),
    }
  })
  test.concurrent.each(tokens)(
    'an ERC-20 balance is true where $title change every one of them',
    async ({ chain, callers }) => {
      for (const reading of Object.values(readings))
        for (const headers of callers) {
          const { params, read } = reading()
          expect(read((await chain.ask('eth_call', params, headers)).result as Hex)).toBe('truth')
        }
    },
  )
})

test('no row has a lie for protected callers, nor one without a mark where witnesses can be reached and a voter fails', () => {
  const isReached = ({ nodes }: RiskRow) =>
    nodes.some(({ isWitness, conduct }) => isWitness && conduct === 'honest')
  for (const row of rows) {
    expect(outcomeOf(row, 'protected').side).not.toBe('lie')
    const isHeld = weightOf(row, 'poisoned') * 2 > row.nodes.reduce((sum, { weight }) => sum + weight, 0)
    if (isReached(row) && isDoubted(row, () => true) && !isHeld)
      expect(outcomeOf(row, 'tightened').side).not.toBe('lie')
  }
})

const weightOf = ({ nodes }: RiskRow, meant: string) =>
  nodes.reduce((sum, { weight, conduct }) => sum + (conduct === meant ? weight : 0), 0)

function writtenOf({ weight, isWitness, conduct, faultProfile }: RiskRow['nodes'][number]): Written {
  return {
    weight,
    role: isWitness ? 'witness' : 'voter',
    on: repliesOf(conduct === 'poisoned' ? 'lie' : 'truth'),
    ...(faultProfile !== undefined && { faultProfile }),
  }
}
