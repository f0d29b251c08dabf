import { describe, expect, test } from 'vitest'
import { createProgress } from '../../scripts/test/progress.ts'
import { runStages } from '../../scripts/test/run.ts'

type Stage = { readonly name: string; readonly after?: string; readonly isAlone?: true }

/** Runs stages that end when the test says so; returns what is running. */
function started(stages: readonly Stage[], atOnce: number) {
  const running = new Map<string, () => void>()
  const whole = runStages(stages, atOnce, ({ name }) => new Promise((end) => running.set(name, end)))
  return {
    whole,
    running: () => [...running.keys()],
    async end(name: string) {
      running.get(name)?.()
      running.delete(name)
      await new Promise(setImmediate)
    },
  }
}

describe('the stages of npm test', () => {
  test('run in their order, as many at a time as allowed', async () => {
    const { whole, running, end } = started([{ name: 'a' }, { name: 'b' }, { name: 'c' }], 2)
    expect(running()).toEqual(['a', 'b'])
    await end('b')
    expect(running()).toEqual(['a', 'c'])
    await end('a')
    await end('c')
    await whole
  })

  test('that come after another let later ones pass until it has ended', async () => {
    const stages = [{ name: 'build' }, { name: 'e2e', after: 'build' }, { name: 'unit' }]
    const { whole, running, end } = started(stages, 2)
    expect(running()).toEqual(['build', 'unit'])
    await end('build')
    expect(running()).toEqual(['unit', 'e2e'])
    await end('unit')
    await end('e2e')
    await whole
  })

  test('that are alone begin when nothing else runs, and nothing begins beside them', async () => {
    const { whole, running, end } = started(
      [{ name: 'unit' }, { name: 'siege', isAlone: true }, { name: 'sim' }],
      2,
    )
    expect(running()).toEqual(['unit', 'sim'])
    await end('unit')
    await end('sim')
    expect(running()).toEqual(['siege'])
    await end('siege')
    await whole
    const reversed = started([{ name: 'siege', isAlone: true }, { name: 'sim' }], 2)
    expect(reversed.running()).toEqual(['siege'])
    await reversed.end('siege')
    expect(reversed.running()).toEqual(['sim'])
    await reversed.end('sim')
    await reversed.whole
  })

  test('do not wait for a stage that was not chosen', async () => {
    const { whole, running, end } = started([{ name: 'e2e', after: 'build' }], 2)
    expect(running()).toEqual(['e2e'])
    await end('e2e')
    await whole
  })
})

describe('while npm test runs', () => {
  test('each stage tells its number and how long it took the last time', () => {
    const said: string[] = []
    const progress = createProgress(2, { unit: 65 }, (line) => said.push(line))
    progress.begin('unit')
    progress.begin('sim')
    progress.end('sim', { passed: 1, failed: 0 })
    progress.still()
    expect(said).toEqual([
      '0:00  unit begins, 1 of 2, usually 1:05',
      '0:00  sim begins, 2 of 2',
      '0:00  sim ended: 1 passed, 0 failed, 0:00',
      '0:00  running: unit 0:00 of 1:05',
    ])
  })

  test('a failure is shown as soon as its line is complete, and what passed is not', () => {
    const said: string[] = []
    const output = createProgress(1, {}, (line) => said.push(line)).output('unit')
    output(' ✓ tests/a.test.ts (3 tests)\n ❯ tests/b.test.ts (1 test | 1 failed)\n   \x1b[31m× counts a re')
    expect(said).toEqual([])
    output('vert 5ms\n  ✘  1 e2e/page.spec.ts:9:1 › opens\nBREACH safety at seed 7\n')
    expect(said).toEqual([
      '0:00  unit: × counts a revert 5ms',
      '0:00  unit: ✘  1 e2e/page.spec.ts:9:1 › opens',
      '0:00  unit: BREACH safety at seed 7',
    ])
  })
})
