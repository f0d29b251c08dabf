import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Outcome } from './outcome.ts'
import { chosen, root } from './steps.ts'
import { startBusyLoops } from './test/busy.ts'
import { runStages } from './test/run.ts'
import { busyStages, stages, type TestStage } from './test/stages.ts'

/** Most stages keep two cores busy by themselves. */
const stagesAtOnce = 2
/** Memory for a stage of hosts and browsers. If less is available, no second stage starts. */
const bytesBeside = 6 * 2 ** 30
const mayBegin = (running: number) => running < stagesAtOnce && process.availableMemory() >= bytesBeside
/** Vitest and Playwright tell each failure after all tests. */
const linesOfLog = 300

/**
 * `npm test`: the stages of test/stages.ts, each to its end, whatever another found; the last line sums what really ran.
 * `npm test -- unit` runs that stage and shows all of its output. `--busy` runs the suites of sockets and browsers beside four busy
 * loops, `--shard 2/6` the second sixth of them. `--all` (`npm run test:all`) adds the long stages, `--ci` those that fit into half an
 * hour, before the busy ones.
 */
const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    ci: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
    shard: { type: 'string' },
  },
  allowPositionals: true,
})
const isNamed = positionals.length > 0
const quiet =
  values.busy && !values.ci
    ? []
    : chosen(stages, positionals).filter(
        ({ only }) => only === undefined || isNamed || values.all || (values.ci && only === 'ci'),
      )
const busy = values.busy ? chosen(busyStages(values.shard), positionals) : []

const reports = join(root, 'node_modules/.cache/quorate/reports')
mkdirSync(reports, { recursive: true })
const startMs = Date.now()
const lines: string[] = []
const failures: string[] = []
const total = { passed: 0, failed: 0 }

await runStages(quiet, mayBegin, (stage) => runStage(stage, stage.name))
if (busy.length > 0) {
  const end = startBusyLoops()
  await runStages(busy, mayBegin, (stage) => runStage(stage, `${stage.name}, busy`))
  end()
}
console.log(
  [...failures, '', ...lines, `${'all'.padEnd(14)} ${clock(Date.now() - startMs)}`, '', counts(total)].join(
    '\n',
  ),
)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1

async function runStage({ run }: TestStage, name: string): Promise<void> {
  const beganMs = Date.now()
  console.log(`${clock(beganMs - startMs)}  ${name} begins`)
  const outcome = quiet.length + busy.length === 1 ? await run({}) : await runLogged(name, run)
  const line = `${name.padEnd(14)} ${clock(Date.now() - beganMs)}  ${counts(outcome)}`
  lines.push(line)
  console.log(`${clock(Date.now() - startMs)}  ${line}`)
  total.passed += outcome.passed
  total.failed += outcome.failed
}

/** Several stages would mix their output: it goes to files, and the end of it is shown where something failed. */
async function runLogged(name: string, run: TestStage['run']): Promise<Outcome> {
  const path = join(reports, `${name.replace(', ', '-')}.log`)
  const log = openSync(path, 'w')
  const outcome = await run({ onOutput: (text) => void writeSync(log, text) })
  closeSync(log)
  if (outcome.failed === 0) return outcome
  const end = readFileSync(path, 'utf8').trimEnd().split('\n').slice(-linesOfLog).join('\n')
  const failure = `\nFAILED ${name}, the end of ${path}:\n${end}`
  failures.push(failure)
  console.log(failure)
  return outcome
}

function counts({ passed, failed, remark }: Outcome): string {
  return `${passed} passed, ${failed} failed${remark ? ` (${remark})` : ''}`
}

/** Minutes and seconds: `1:05`. */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
