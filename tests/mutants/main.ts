import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'

/**
 * `npm run mutants`: breaks one rule of the engine at a time, in a copy, and shows that the suite that guards it notices.
 * `--only text` takes the mutants whose name holds the text; `--shown` the eight that the simulation is shown by, with a
 * table of the seed that shows each. Ends with 1 when one survives.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    shown: { type: 'boolean' },
    lanes: { type: 'string' },
    seeds: { type: 'string', default: '9000' },
  },
})

const root = new URL('../../', import.meta.url).pathname
const copied = ['rpc-proxy', 'tests', 'demo', 'package.json', 'tsconfig.json', 'vitest.config.ts']
/** A mutant that makes the engine run for ever is noticed by this. */
const runMsMax = 180_000

interface Outcome {
  readonly isKilled: boolean
  /** What noticed it: the seed and the invariant, or the test. */
  readonly how: string
  readonly ms: number
}

const callerControlled = mutants.filter(
  ({ name, isShown }) => name.includes(values.only ?? '') && (values.shown !== true || isShown === true),
)
const unfit = callerControlled.filter((mutant) => mutantText(mutant) === null)
for (const { name, file } of unfit)
  console.log(`does not apply: "${name}": its text does not stand exactly once in ${file}`)
const outcomes = unfit.length > 0 ? new Map<Mutant, Outcome>() : await runAll(callerControlled)
const survivors = [...outcomes].filter(([, { isKilled }]) => !isKilled)
console.log(
  `${outcomes.size} mutants, ${outcomes.size - survivors.length} killed, ${survivors.length} survived`,
)
for (const [{ name, by }] of survivors) console.log(`survived: ${name} (${by})`)
if (values.shown) {
  console.log('\n| break | invariant | seed |\n|---|---|---|')
  for (const [{ name }, { how }] of outcomes) {
    const [, seed, invariant] = /seed (\d+), (S\d+)/.exec(how) ?? []
    console.log(`| ${name} | ${invariant} | ${seed} |`)
  }
}
process.exitCode = unfit.length > 0 || survivors.length > 0 || outcomes.size === 0 ? 1 : 0

async function runAll(all: readonly Mutant[]): Promise<ReadonlyMap<Mutant, Outcome>> {
  const found = new Map<Mutant, Outcome>()
  const queue = [...all]
  const lanes = Array.from({ length: Number(values.lanes ?? Math.min(2, availableParallelism())) }, copy)
  try {
    await sane(lanes[0] as string, all)
    await Promise.all(
      lanes.map(async (lane) => {
        for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
          const outcome = await run(mutant, lane)
          found.set(mutant, outcome)
          const { isKilled, how, ms } = outcome
          console.log(
            `${isKilled ? 'killed  ' : 'SURVIVED'} ${(ms / 1000).toFixed(1).padStart(5)} s  ${mutant.name}\n                    ${how}`,
          )
        }
      }),
    )
  } finally {
    for (const lane of lanes) rmSync(lane, { recursive: true, force: true })
  }
  return found
}

/** A place of its own, so that the working tree is never touched. */
function copy(): string {
  const lane = mkdtempSync(join(tmpdir(), 'quorate-mutants-'))
  for (const name of copied)
    cpSync(join(root, name), join(lane, name), {
      recursive: true,
      filter: (source) => !/node_modules|[/\\]\.next/.test(source),
    })
  symlinkSync(join(root, 'node_modules'), join(lane, 'node_modules'))
  return lane
}

/** Suites that fail without any mutant would kill every one. */
async function sane(lane: string, all: readonly Mutant[]): Promise<void> {
  for (const by of new Set(all.map((mutant) => mutant.by))) {
    const { code, output } = await suite(by, lane)
    if (code === 0) continue
    console.log(output.slice(-3000))
    throw new Error(`${by} fails without any mutant`)
  }
}

function mutantText({ file, find, replace }: Mutant): string | null {
  const text = readFileSync(join(root, 'rpc-proxy', file), 'utf8')
  const parts = text.split(find)
  return parts.length === 2 ? parts.join(replace) : null
}

async function run(mutant: Mutant, lane: string): Promise<Outcome> {
  const path = join(lane, 'rpc-proxy', mutant.file)
  const whole = readFileSync(path, 'utf8')
  const startMs = performance.now()
  try {
    writeFileSync(path, mutantText(mutant) as string)
    const { code, output } = await suite(mutant.by, lane)
    return { isKilled: code !== 0, how: noticed(mutant.by, output), ms: performance.now() - startMs }
  } finally {
    writeFileSync(path, whole)
  }
}

function suite(by: string, lane: string): Promise<{ code: number; output: string }> {
  if (by === 'sim')
    return command(lane, [
      'tests/sim/main.ts',
      '--seeds',
      values.seeds,
      '--seed',
      '1',
      '--workers',
      '1',
      '--first-breach',
      '--quiet',
    ])
  const where = by === 'model' ? 'tests/sim/exhaustive.test.ts' : `tests/${by}`
  return command(lane, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'unit',
    '--bail',
    '1',
    '--test-timeout',
    '60000',
    where,
  ])
}

function command(cwd: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...args], {
      cwd,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    })
    let output = ''
    const late = setTimeout(() => child.kill('SIGKILL'), runMsMax)
    const hear = (chunk: Buffer) => {
      output = (output + chunk).slice(-200_000)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(late)
      resolve({ code: code ?? 1, output })
    })
  })
}

function noticed(by: string, output: string): string {
  if (by !== 'sim') return `${by}: ${/(?:×|FAIL) (.*)/.exec(output)?.[1]?.slice(0, 140) ?? 'nothing'}`
  const breach = /BREACH (S\d+) at seed (\d+): (.{0,100})/.exec(output)
  return breach === null
    ? `sim: ${/(never|Error|schedules).*/.exec(output)?.[0].slice(0, 140) ?? 'nothing'}`
    : `sim: seed ${breach[2]}, ${breach[1]}: ${breach[3]}`
}
