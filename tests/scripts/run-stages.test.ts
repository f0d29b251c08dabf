import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../../scripts/steps.ts'
import { runStages } from '../../scripts/test/run.ts'

type Stage = Parameters<typeof runStages>[0][number]

/** Runs stages that end when the test says so; returns what is running. */
function started(stages: readonly Stage[], mayBegin: (running: number) => boolean = (now) => now < 2) {
  const running = new Map<string, () => void>()
  const whole = runStages(stages, mayBegin, ({ name }) => new Promise((end) => running.set(name, end)))
  const end = (name: string) => {
    running.get(name)?.()
    running.delete(name)
    return new Promise(setImmediate)
  }
  return { whole, running, end }
}

describe('the stages of npm test', () => {
  const [a, b, c, build] = ['a', 'b', 'c', 'build'].map((name) => ({ name })) as [Stage, Stage, Stage, Stage]
  const e2e = { name: 'e2e', after: ['build'] }

  test.each<[string, Stage[], number, string[]]>([
    ['run in their order, as many as allowed', [a, b, c], 2, ['a b', 'b c', 'c']],
    [
      'let later ones pass until what they come after has ended',
      [build, e2e, c],
      2,
      ['build c', 'c e2e', 'e2e'],
    ],
    ['run one after the other if no second may begin', [a, b], 1, ['a', 'b']],
    ['do not wait for a stage that was not chosen', [e2e], 2, ['e2e']],
  ])('%s', async (_, stages, most, steps) => {
    const { whole, running, end } = started(stages, (now) => now < most)
    for (const step of steps) {
      const names = [...running.keys()]
      expect(names.join(' ')).toBe(step)
      await end(names[0] ?? '')
    }
    await whole
  })
})

test('busy loops end with a run that is killed', async () => {
  const busy = join(root, 'scripts/test/busy.ts')
  const program = `import { startBusyLoops } from '${busy}'; startBusyLoops(); console.log('on'); setInterval(() => {}, 1000)`
  const run = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(run.stdout, 'data')
  run.stdout.resume()
  run.kill('SIGKILL')
  // The loops have its standard output too, which is closed with the last of them.
  await once(run, 'close')
  expect(run.signalCode).toBe('SIGKILL')
})
