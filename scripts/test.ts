import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkBuild } from '../demo/build.ts'
import { type Outcome, ofCommand, ofPlaywright, ofReport, ofVitest } from './outcome.ts'
import { ensurePrograms } from './stack/programs.ts'
import { chosen, root, secondsSince, step } from './steps.ts'

/**
 * `npm test`: every stage, to its end, whatever an earlier one found; the last line sums what really ran.
 * `npm test -- unit` runs that stage only. Those that install system packages run where CI is set, or by name.
 */
type Stage = {
  readonly name: string
  readonly run: () => Promise<Outcome>
  readonly installs?: true
  /** Begun before all others: it waits for the registry more than for the processor. Its output is shown in its turn. */
  readonly begin?: () => void
}

const simSeeds = '20000'
const reports = join(root, 'node_modules/.cache/quorate/reports')

const stages: readonly Stage[] = [
  { name: 'unit', run: () => vitest('unit', '!live*') },
  { name: 'sim', run: () => command('node', ['tests/sim/main.ts', '--seeds', simSeeds]) },
  { name: 'clients', run: () => command('node', ['tests/clients/main.ts', '--quick']) },
  { name: 'build', run: build },
  { name: 'fresh', ...aside('fresh', 'node', ['tests/fresh/main.ts']) },
  { name: 'without-demo', run: () => command('node', ['scripts/without-demo.ts']) },
  { name: 'live', run: () => vitest('live') },
  { name: 'e2e', run: playwright },
  { name: 'redis', run: redis, installs: true },
  { name: 'stack', run: stack, installs: true },
]

mkdirSync(reports, { recursive: true })
const lines: string[] = []
const failed: string[] = []
const total = { passed: 0, failed: 0 }
const isNamed = process.argv.length > 2
const mayInstall = isNamed || Boolean(process.env.CI)
const stagesChosen = chosen(stages).filter(({ installs }) => !installs || mayInstall)
for (const { begin } of stagesChosen) begin?.()
for (const { name, run } of stagesChosen) {
  console.log(`\n=== ${name}`)
  const startedAt = Date.now()
  const outcome = await run()
  const { passed, remark } = outcome
  total.passed += passed
  total.failed += outcome.failed
  failed.push(...(outcome.failures ?? []).map((failure) => `${name}: ${failure.slice(0, 1000)}`))
  const counts = `${passed} passed, ${outcome.failed} failed, ${secondsSince(startedAt)}`
  lines.push(`${name.padEnd(12)} ${counts}${remark ? ` (${remark})` : ''}`)
}
// Again at the end, where it is read: a long log is often cut at its head.
for (const failure of failed) console.log(`\nFAILED ${failure}`)
console.log(`\n${lines.join('\n')}\n\n${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1

async function command(name: string, args: readonly string[]): Promise<Outcome> {
  return ofCommand(await step(name, args))
}

/** A command that runs beside the stages before it. */
function aside(name: string, program: string, args: readonly string[]): Omit<Stage, 'name'> {
  const path = join(reports, `${name}.log`)
  let ended: Promise<number> | undefined
  return {
    begin() {
      ended = step(program, args, {}, openSync(path, 'w'))
    },
    async run() {
      const code = await ended
      process.stdout.write(readFileSync(path))
      return ofCommand(code ?? 1)
    },
  }
}

/** The browser and HTTP suites test what is built; a build of these very sources is not made twice. */
async function build(): Promise<Outcome> {
  const state = checkBuild(root)
  if (state.reason === null) return { passed: 1, failed: 0, remark: 'up to date' }
  console.log(`${state.reason}; it takes a minute or two`)
  const outcome = await command('npm', ['run', '--silent', 'build'])
  if (outcome.failed === 0) state.keep()
  return outcome
}

async function vitest(name: string, project = name): Promise<Outcome> {
  const path = freshReport(name)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
  const code = await step('vitest', ['run', '--project', project, ...reporters])
  return ofVitest(read(path), code)
}

async function playwright(): Promise<Outcome> {
  const path = freshReport('e2e')
  const code = await step('playwright', ['test'], { PLAYWRIGHT_JSON_OUTPUT_FILE: path })
  return ofPlaywright(read(path), code)
}

async function redis(): Promise<Outcome> {
  const advice = ensurePrograms(['redis-server'])
  return advice === null
    ? vitest('redis', 'live-redis')
    : { passed: 0, failed: 0, remark: `not run: ${advice}` }
}

async function stack(): Promise<Outcome> {
  const path = freshReport('stack')
  const code = await step('node', ['tests/stack/main.ts', '--out', path])
  return ofReport(read(path), code)
}

/** An older run's report must never be taken for this one's. */
function freshReport(name: string): string {
  const path = join(reports, `${name}.json`)
  rmSync(path, { force: true })
  return path
}

function read<Report>(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return undefined
  }
}
