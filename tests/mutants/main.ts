import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { applyEdit } from './edit.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'

/**
 * `npm run mutants`: breaks one promise or rule of the engine at a time, in a copy, and shows that the suite that guards it
 * notices. `--only text` takes the mutants whose name holds the text, or which break the promise or rule of this id; `--shown`
 * the eight that the simulation is shown by, with a table of the seed that shows each. Ends with 1 when one survives.
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
const copied = ['rpc-proxy', 'lib', 'tests', 'demo', 'package.json', 'tsconfig.json', 'vitest.config.ts']
/** A mutant that makes the engine run for ever is noticed by how much longer a suite takes than without any mutant. */
const patience = { times: 4, plusMs: 20_000 }
const soundMsMax = 900_000

interface Outcome {
  readonly isKilled: boolean
  /** What noticed it: the seed and the invariant, or the test. */
  readonly how: string
  readonly ms: number
}

const { only = '', shown = false } = values
const selected = mutants.filter(
  ({ name, breaks, isVisible }) =>
    (name.includes(only) || breaks.some((id) => id === only)) && (!shown || isVisible === true),
)
const outcomes = await runAll(selected)
const survivors = [...outcomes].filter(([, { isKilled }]) => !isKilled)
console.log(
  `${outcomes.size} mutants, ${outcomes.size - survivors.length} killed, ${survivors.length} survived`,
)
for (const [{ name, by }] of survivors) console.log(`survived: ${name} (${by})`)
if (shown) {
  console.log('\n| break | invariant | seed |\n|---|---|---|')
  for (const [{ name }, { how }] of outcomes) {
    const [, seed, invariant] = /seed (\d+), (S\d+)/.exec(how) ?? []
    console.log(`| ${name} | ${invariant} | ${seed} |`)
  }
}
process.exitCode = survivors.length > 0 || outcomes.size === 0 ? 1 : 0

async function runAll(all: readonly Mutant[]): Promise<ReadonlyMap<Mutant, Outcome>> {
  const found = new Map<Mutant, Outcome>()
  const queue = [...all]
  const lanes = Array.from({ length: Number(values.lanes ?? Math.min(2, availableParallelism())) }, copy)
  try {
    const soundMs = await timeSound(lanes[0] as string, all)
    await Promise.all(
      lanes.map(async (lane) => {
        for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
          const msMax = (soundMs.get(mutant.by) as number) * patience.times + patience.plusMs
          const outcome = await run(mutant, lane, msMax)
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

/** How long each suite takes without any mutant. One that fails then would kill every mutant. */
async function timeSound(lane: string, all: readonly Mutant[]): Promise<ReadonlyMap<string, number>> {
  const soundMs = new Map<string, number>()
  for (const by of new Set(all.map((mutant) => mutant.by))) {
    const { code, output, ms } = await suite(by, lane, soundMsMax)
    if (code !== 0) {
      console.log(output.slice(-3000))
      throw new Error(`${by} fails without any mutant`)
    }
    soundMs.set(by, ms)
  }
  return soundMs
}

async function run(mutant: Mutant, lane: string, msMax: number): Promise<Outcome> {
  const path = join(lane, 'rpc-proxy', mutant.file)
  const whole = readFileSync(path, 'utf8')
  try {
    writeFileSync(path, applyEdit(whole, mutant))
    const ended = await suite(mutant.by, lane, msMax)
    return { isKilled: ended.code !== 0, how: noticed(mutant.by, ended), ms: ended.ms }
  } finally {
    writeFileSync(path, whole)
  }
}

interface Ended {
  /** Null where it took too long. */
  readonly code: number | null
  readonly output: string
  readonly ms: number
}

function suite(by: string, lane: string, msMax: number): Promise<Ended> {
  return command(lane, by === 'sim' ? simArgs() : vitestArgs(by), msMax)
}

function simArgs(): readonly string[] {
  const seeds = ['--seeds', values.seeds, '--seed', '1', '--workers', '1']
  return ['tests/sim/main.ts', ...seeds, '--first-breach', '--quiet']
}

function vitestArgs(by: string): readonly string[] {
  const path = by === 'model' ? 'tests/sim/exhaustive.test.ts' : `tests/${by}`
  const options = ['--project', 'unit', '--bail', '1', '--test-timeout', '60000']
  return ['node_modules/vitest/vitest.mjs', 'run', ...options, path]
}

function command(cwd: string, args: readonly string[], msMax: number): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    const child = spawn(process.execPath, [...args], {
      cwd,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
    })
    let output = ''
    const late = setTimeout(() => child.kill('SIGKILL'), msMax)
    const hear = (chunk: Buffer) => {
      output = (output + chunk).slice(-200_000)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(late)
      resolve({ code, output, ms: performance.now() - startMs })
    })
  })
}

function noticed(by: string, { code, output }: Ended): string {
  if (code === null) return `${by}: takes too long`
  if (by !== 'sim') return `${by}: ${/(?:×|FAIL) (.*)/.exec(output)?.[1]?.slice(0, 140) ?? 'nothing'}`
  const breach = /BREACH (S\d+) at seed (\d+): (.{0,100})/.exec(output)
  return breach === null
    ? `sim: ${/(never|Error|schedules).*/.exec(output)?.[0].slice(0, 140) ?? 'nothing'}`
    : `sim: seed ${breach[2]}, ${breach[1]}: ${breach[3]}`
}
