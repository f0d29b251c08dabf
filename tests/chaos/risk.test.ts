import { describe, expect, test } from 'vitest'
import { bothHosts, hostsForOneFile } from '../support/hosts.ts'
import { until } from '../support/until.ts'
import { callsOf, protect, repliesOf } from './support/risk-calls.ts'
import { isDoubted, outcomeOf } from './support/risk-oracle.ts'
import { type RiskRow, rows } from './support/risk-rows.ts'
import { deadlineMs, RiskTable } from './support/risk-table.ts'
import type { Written } from './support/script.ts'
import { stageOn } from './support/stage.ts'

// docs/risk.md, cell by cell: who is poisoned, who is silent and how, which caller asks for what. What must come of it is
// computed from the weights alone, by risk-oracle.ts.
const start = hostsForOneFile()
/** An honest node never takes as long as the stall of rows in which nobody hangs. */
const stallOf = ({ nodes }: RiskRow) =>
  nodes.some(({ faultProfile }) => faultProfile === 'hanging') ? 500 : 3000

describe.each(bothHosts)('%s', (kind) => {
  const stage = stageOn(kind, start)
  const cases = rows.map((row) => {
    const { title, nodes, operatorsMin } = row
    const options = { operatorsMin, deadlineMs, stallMs: stallOf(row), protect }
    const chain = stage.chain(nodes.map(writtenOf), options)
    return { title, chain, row }
  })

  test.concurrent.each(cases)('$title', async ({ row, chain }) => {
    const table = new RiskTable(row, chain)
    // At first nobody is known to be silent. Protected callers come last, because they may expose liars to everybody.
    await table.ask(callsOf('everyday'))
    await table.ask(callsOf('protected'))
    await until(async () => {
      await table.ask(callsOf('everyday').slice(0, 1))
      return table.knowsTheSilent()
    })
    await table.ask([...callsOf('everyday'), ...callsOf('protected')])
    await until(async () => table.isHealthRight(await stage.read('health')))
    table.compareMetrics(await stage.read('metrics'))
    expect(table.wrong).toEqual([])
  })
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
