import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import type { Breach } from './run.ts'
import { wanted } from './sometimes.ts'
import type { Share, Tally } from './worker.ts'

/**
 * `npm run sim -- --seeds N [--seed S]`: N simulations of the production engine, starting at seed S (1). `--seed S` alone
 * runs one seed and prints its trace. Exits with 1 if an invariant broke, or if in a run of 20,000 or more something in
 * sometimes.ts never happened.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    workers: { type: 'string' },
    quiet: { type: 'boolean' },
    'first-breach': { type: 'boolean' },
  },
})

const enough = 20_000

if (values.seed !== undefined && values.seeds === undefined) replay(Number(values.seed))
else await simulate(Number(values.seed ?? 1), Number(values.seeds ?? enough))

function replay(seed: number): void {
  // Microtasks run only after this module has been evaluated.
  setImmediate(async () => {
    const { runSeed } = await import('./run.ts')
    setImmediate(() => {
      const { trace, breaches } = runSeed(seed, { note: () => {}, isTraced: true })
      console.log(trace.join('\n'))
      console.log(`\nseed ${seed}: ${breaches.length === 0 ? 'no breach' : `${breaches.length} breaches`}`)
      for (const breach of breaches) tell(breach)
      process.exitCode = breaches.length === 0 ? 0 : 1
    })
  })
}

async function simulate(from: number, seeds: number): Promise<void> {
  const startMs = performance.now()
  const workers = Math.min(Number(values.workers ?? availableParallelism()), seeds)
  const tallies = await Promise.all(
    Array.from({ length: workers }, (_, index) =>
      share({
        from: from + index,
        to: from + seeds,
        step: workers,
        breachesMax: values['first-breach'] ? 1 : 50,
      }),
    ),
  )
  const seconds = (performance.now() - startMs) / 1000
  const breaches = tallies.reduce((sum, tally) => sum + tally.breaches, 0)
  const counts = new Map<string, number>()
  for (const tally of tallies)
    for (const [what, count] of tally.counts) counts.set(what, (counts.get(what) ?? 0) + count)

  const missing = wanted().filter((what) => !counts.has(what))
  if (!values.quiet) table(counts, missing)
  console.log(
    `${seeds} schedules in ${seconds.toFixed(1)} s, ${Math.round(seeds / seconds)}/s on ${workers} threads; ${breaches} breaches`,
  )
  if (missing.length > 0 && seeds >= enough) console.log(`never happened: ${missing.join('; ')}`)
  process.exitCode = breaches > 0 || (missing.length > 0 && seeds >= enough) ? 1 : 0
}

function share(data: Share): Promise<Tally> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: data })
    worker.on('message', (message: Breach | Tally) => {
      if ('invariant' in message) return tell(message)
      resolve(message)
      void worker.terminate()
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`a worker ended with ${code} without a report`)))
  })
}

function table(counts: ReadonlyMap<string, number>, missing: readonly string[]): void {
  const rows = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [what, count] of [...rows, ...missing.map((what) => [what, 0] as const)])
    console.log(`${String(count).padStart(9)}  ${what}`)
}

function tell({ seed, invariant, detail }: Breach): void {
  console.log(`BREACH ${invariant} at seed ${seed}: ${detail.slice(0, 600)}\n  npm run sim -- --seed ${seed}`)
}
