import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { checkBuild } from '../check-build.ts'
import { type Outcome, ofCommand, ofPlaywright, ofReport, ofVitest } from '../outcome.ts'
import { root, type StepOptions, step } from '../steps.ts'
import { ensurePrograms } from '../system-packages.ts'

export type TestStage = {
  readonly name: string
  readonly run: (output: Pick<StepOptions, 'onOutput'>) => Promise<Outcome>
  /** Begins when those stages have ended, as far as they run at all. */
  readonly after?: readonly string[]
  /**
   * Runs by name, with `--all`, and where it is `ci` with `--ci` too. What builds the app again or waits for registries is a job of its own in
   * CI, which leaves `.ci/run` its half hour on a slow machine.
   */
  readonly only?: 'ci' | 'all'
}
type Run = TestStage['run']

const reports = join(root, 'node_modules/.cache/quorate/reports')

/** Of each failed test's account, which ends with the test's source. */
const contextCharsMax = 4000

const clients = command('node', 'tests/engine/clients/main.ts', '--quick')

/** An engine of containers makes and removes network interfaces, and a browser then gives up what it is loading (ERR_NETWORK_CHANGED). */
const beforeBrowsers = ['build', 'stack']

/** The suites of sockets and browsers, or one shard of them, as they run beside busy loops: what fails there was checked against a clock. */
export function busyStages(shard = '1/1'): readonly TestStage[] {
  const [part = 1, parts = 1] = shard.split('/').map(Number)
  const short: readonly TestStage[] = [
    { name: 'clients', run: clients, after: ['build'] },
    { name: 'redis', run: redis, after: ['build'] },
  ]
  return [
    { name: 'build', run: build },
    { name: 'e2e', run: playwright('e2e', `--shard=${shard}`), after: ['build'] },
    { name: 'live', run: vitest('live', 'live', `--shard=${shard}`), after: ['build'] },
    ...short.filter((stage, at) => isHere(stage) && at % parts === part - 1),
  ]
}

/** What proves the engine; it leaves with it where the engine is a package. */
const ofEngine = ['clients', 'sim', 'package', 'package-e2e']
const isHere = ({ name }: TestStage) => !ofEngine.includes(name) || existsSync(join(root, 'rpc-proxy'))

/** In the order of their start. */
export const stages: readonly TestStage[] = (
  [
    // Waits for registries, engines and alerts, and no browser beside it.
    { name: 'stack', run: stack, only: 'all' },
    {
      name: 'checks',
      run: command('node', 'scripts/verify.ts', 'format', 'lint', 'types', 'engine-types', 'unused'),
      only: 'ci',
    },
    { name: 'build', run: build },
    { name: 'unit', run: vitest('unit', '!live*') },
    { name: 'e2e', run: playwright('e2e'), after: beforeBrowsers },
    { name: 'live', run: vitest('live'), after: ['build'] },
    { name: 'clients', run: clients, after: beforeBrowsers },
    { name: 'package', run: command('node', 'tests/package/main.ts'), only: 'all' },
    // Builds the app a second time, and has it compiled page by page: too much for two cores beside other browsers.
    { name: 'fork', run: playwright('fork'), after: [...beforeBrowsers, 'e2e'], only: 'all' },
    { name: 'sim', run: command('node', 'tests/engine/sim/main.ts', '--seeds', '8000') },
    { name: 'without-demo', run: command('node', 'tests/without-demo/main.ts') },
    {
      name: 'package-e2e',
      run: command('node', 'tests/package/main.ts', '--e2e'),
      after: beforeBrowsers,
      only: 'all',
    },
    { name: 'fresh', run: command('node', 'tests/fresh/main.ts'), only: 'all' },
    { name: 'redis', run: redis, only: 'ci' },
    { name: 'kubernetes', run: command('node', 'tests/kubernetes/main.ts'), only: 'ci' },
    { name: 'siege', run: vitest('siege', 'live-siege'), after: ['build'] },
  ] as readonly TestStage[]
).filter(isHere)

function command(program: string, ...args: string[]): Run {
  return async (output) => ofCommand(await step(program, args, output))
}

/** The browser and HTTP suites test what is built; a build of these very sources is not made twice. */
async function build(output: Parameters<Run>[0]): Promise<Outcome> {
  const state = checkBuild(root)
  if (state.reason === null) return { passed: 1, failed: 0, remark: 'up to date' }
  const outcome = await command('npm', 'run', '--silent', 'build')(output)
  if (outcome.failed === 0) state.keep()
  return outcome
}

function vitest(name: string, project = name, ...more: string[]): Run {
  return async (output) => {
    const path = freshReport(name)
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${path}`]
    const code = await step('vitest', ['run', '--project', project, ...reporters, ...more], output)
    return ofVitest(read(path), code)
  }
}

function playwright(project: string, ...more: string[]): Run {
  return async (output) => {
    const path = freshReport(project)
    const code = await step('playwright', ['test', '--project', project, ...more], {
      ...output,
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: path },
    })
    // What was on the page: where a test ran out of time, its error says no more than that.
    if (code !== 0)
      for (const context of globSync('test-results/*/error-context.md', { cwd: root }))
        output.onOutput?.(readFileSync(join(root, context), 'utf8').slice(0, contextCharsMax))
    return ofPlaywright(read(path), code)
  }
}

async function redis(output: Parameters<Run>[0]): Promise<Outcome> {
  const advice = ensurePrograms(['redis-server'])
  return advice === null
    ? vitest('redis', 'live-redis')(output)
    : { passed: 0, failed: 0, remark: `not run: ${advice}` }
}

async function stack(output: Parameters<Run>[0]): Promise<Outcome> {
  const path = freshReport('stack')
  const code = await step('node', ['tests/stack/main.ts', '--out', path], output)
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
