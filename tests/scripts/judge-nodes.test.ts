import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { judge } from '../../scripts/nodes/judge.ts'
import { type Findings, noAnswer } from '../../scripts/nodes/probe.ts'
import { root } from '../../scripts/steps.ts'

/** The verdicts of `npm run nodes` on the nodes of a chain, in their order. */
function verdicts(...nodes: readonly Partial<Findings>[]): readonly string[] {
  const seen = { chainId: 137, genesis: '0xa', head: 100, fault: null, latencyMs: 1, logsRange: 1 }
  const all = nodes.map((own) => ({ node: 'n', ...seen, batch: 1, depth: 1, answers: ['"0xa"'], ...own }))
  return all.map((own) => judge(own, all, { id: 137 } as never).verdict)
}
const other = { answers: ['"0xb"'] }

test('nodes that disagree are not ok if none has a majority', () => {
  expect(verdicts({}, other)).toEqual(['disagrees', 'disagrees'])
  expect(verdicts({}, {}, other, other)).toEqual(Array(4).fill('disagrees'))
  expect(verdicts({}, {}, other)).toEqual(['ok', 'ok', 'disagrees'])
})

test('a node is not blamed if another one does not answer', () => {
  expect(verdicts({}, { answers: [noAnswer] })).toEqual(['ok', 'disagrees'])
  expect(verdicts({})).toEqual(['ok'])
})

test('a node without history, which lacks block 0, belongs to the same chain', () => {
  expect(verdicts({}, {}, { genesis: null })).toEqual(['ok', 'ok', 'ok'])
  expect(verdicts({}, {}, { genesis: '0xb' })).toEqual(['ok', 'ok', 'another genesis'])
})

test('npm run nodes refuses a chain that is not configured', () => {
  const env = { ...process.env, RPC_CONFIG: '', RPC_CONFIG_FILE: '' }
  const options = { cwd: root, encoding: 'utf8', env } as const
  const { status, stderr } = spawnSync(process.execPath, ['scripts/nodes.ts', '--chain', '5'], options)
  expect([status, stderr]).toEqual([1, 'chain 5 is not configured\n'])
})
