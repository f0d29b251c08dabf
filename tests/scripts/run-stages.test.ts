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
    const { whole, running, end } = started([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    expect(running()).toEqual(['a', 'b'])
    await end('b')
    expect(running()).toEqual(['a', 'c'])
    await end('a')
    await end('c')
    await whole
  })

  test('that come after another let later ones pass until it has ended', async () => {
    const stages = [{ name: 'build' }, { name: 'e2e', after: ['build'] }, { name: 'unit' }]
    const { whole, running, end } = started(stages)
    expect(running()).toEqual(['build', 'unit'])
    await end('build')
    expect(running()).toEqual(['unit', 'e2e'])
    await end('unit')
    await end('e2e')
    await whole
  })

  test('run one after the other if no second stage may begin', async () => {
    const { whole, running, end } = started([{ name: 'a' }, { name: 'b' }], () => false)
    expect(running()).toEqual(['a'])
    await end('a')
    expect(running()).toEqual(['b'])
    await end('b')
    await whole
  })

  test('do not wait for a stage that was not chosen', async () => {
    const { whole, running, end } = started([{ name: 'e2e', after: ['build'] }])
    expect(running()).toEqual(['e2e'])
    await end('e2e')
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
