import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Outcome } from './outcome.ts'
import { chosen, root } from './steps.ts'
import { clock, counts, createProgress, type Usual } from './test/progress.ts'
import { runStages } from './test/run.ts'
import { stagesOf, type TestStage } from './test/stages.ts'

/** Most stages keep two cores busy by themselves. */
const stagesAtOnce = 2

/**
 * `npm test`: the stages of test/stages.ts, each to its end, whatever another found; the last line sums what really ran.
 * `npm test -- unit` runs that stage and shows all of its output. `--all` (`npm run test:all`) adds the long ones; `--busy` leaves
 * each core a third for them, as other work on the machine would: no suite may be judged by a clock.
 */
const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean', default: false }, busy: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const isNamed = positionals.length > 0
const stages = chosen(stagesOf(values), positionals).filter(({ isLong }) => !isLong || isNamed || values.all)
const cache = join(root, 'node_modules/.cache/quorate')
const usualPath = join(cache, values.all ? 'stage-seconds-all.json' : 'stage-seconds.json')
const usual = readUsual()
const progress = createProgress(stages.length, usual, console.log)
const outcomes = new Map<string, Outcome & { readonly seconds: number }>()

mkdirSync(join(cache, 'reports'), { recursive: true })
const loops = values.busy ? Array.from({ length: 2 * availableParallelism() }, startLoop) : []
const startMs = Date.now()
const heartbeat = setInterval(() => progress.still(), 30_000)
await runStages(stages, stagesAtOnce, runStage)
clearInterval(heartbeat)
for (const loop of loops) loop.kill('SIGKILL')
if (!values.busy) remember()
summarize()

/** Takes all of a core that it gets, and ends with this process, however that ends. */
function startLoop() {
  const loop = 'const of = process.ppid; while (process.ppid === of) for (let turn = 0; turn < 1e8; turn++);'
  return spawn(process.execPath, ['-e', loop], { stdio: 'ignore' })
}

async function runStage({ name, run }: TestStage): Promise<void> {
  progress.begin(name)
  const beganMs = Date.now()
  const outcome = stages.length === 1 ? await run({}) : await runLogged(name, run)
  progress.end(name, outcome)
  outcomes.set(name, { ...outcome, seconds: Math.round((Date.now() - beganMs) / 1000) })
}

/** Several stages would mix their output: it goes to files, and failures are shown at once. */
async function runLogged(name: string, run: TestStage['run']): Promise<Outcome> {
  const path = join(cache, 'reports', `${name}.log`)
  const log = openSync(path, 'w')
  const watch = progress.output(name)
  const onOutput = (text: string) => {
    writeSync(log, text)
    watch(text)
  }
  const outcome = await run({ onOutput })
  closeSync(log)
  if (outcome.failed === 0 || (outcome.failures ?? []).length > 0) return outcome
  const end = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-40).join('\n')
  return { ...outcome, failures: [`the end of ${path}:\n${end}`] }
}

/** Failures again at the end, where they are read; the last line sums all stages. */
function summarize(): void {
  const total = { passed: 0, failed: 0 }
  for (const [name, { passed, failed, failures = [] }] of outcomes) {
    total.passed += passed
    total.failed += failed
    for (const message of failures) console.log(`\nFAILED ${name}: ${message.slice(0, 4000)}`)
  }
  const lines = stages.flatMap(({ name }) => {
    const outcome = outcomes.get(name)
    return outcome
      ? [`${name.padEnd(12)} ${clock(outcome.seconds * 1000).padStart(6)}  ${counts(outcome)}`]
      : []
  })
  console.log(`\n${lines.join('\n')}\n${'all'.padEnd(12)} ${clock(Date.now() - startMs).padStart(6)}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1
}

function readUsual(): Usual {
  try {
    return JSON.parse(readFileSync(usualPath, 'utf8')) as Usual
  } catch {
    return {}
  }
}

/** How long a stage took in which all passed. */
function remember(): void {
  const took = [...outcomes].flatMap(([name, { failed, seconds }]) => (failed === 0 ? [[name, seconds]] : []))
  writeFileSync(usualPath, JSON.stringify({ ...usual, ...Object.fromEntries(took) }))
}
