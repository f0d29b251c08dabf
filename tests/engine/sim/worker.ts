import { parentPort, workerData } from 'node:worker_threads'
import { type Breach, runSeed } from './run.ts'

/** The seeds of a worker: `from`, then every `step`th one below `to`. */
export interface Share {
  readonly from: number
  readonly to: number
  readonly step: number
  /** The worker stops after this many breaches. */
  readonly breachesMax: number
}

/** What a worker says at its end. It tells each breach as soon as it is found. */
export interface Tally {
  readonly counts: ReadonlyMap<string, number>
  readonly breaches: number
}

/** One in this many seeds runs twice: both traces must be identical. */
const againEvery = 50

if (parentPort !== null) {
  const port = parentPort
  const { from, to, step, breachesMax } = workerData as Share
  const counts = new Map<string, number>()
  let breaches = 0
  const note = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  let seed = from
  const tell = (breach: Breach) => {
    breaches++
    port.postMessage(breach)
  }

  process.on('unhandledRejection', (error) => {
    tell({
      seed,
      invariant: 'S18',
      detail: `unhandled rejection: ${error instanceof Error ? error.stack : String(error)}`,
    })
  })
  process.on('uncaughtException', (error) => {
    tell({ seed, invariant: 'S18', detail: `thrown at the host: ${error.stack}` })
    next()
  })

  // One turn of the event loop per seed, so that an unhandled rejection can be attributed to its seed.
  const next = () => {
    if (breaches < breachesMax) seed += step
    else seed = to
    setImmediate(turn)
  }
  const turn = () => {
    if (seed >= to) {
      port.postMessage({ counts, breaches } satisfies Tally)
      return
    }
    const isTraced = seed % againEvery === 0
    const { breaches: found, trace } = runSeed(seed, { note, isTraced })
    for (const breach of found) tell(breach)
    if (isTraced) compare(trace)
    next()
  }
  const compare = (one: readonly string[]) => {
    const other = runSeed(seed, { note: () => {}, isTraced: true }).trace
    const line = one.findIndex((text, index) => text !== other[index])
    if (line >= 0 || one.length !== other.length)
      tell({
        seed,
        invariant: 'S17',
        detail: `the same seed ran in two ways, from line ${line}: ${one[line]} / ${other[line]}`,
      })
  }
  setImmediate(turn)
}
