import type { Report } from './judged-call.ts'
import type { Time } from './time.ts'
import { startMs } from './world.ts'

export interface Breach {
  readonly seed: number
  readonly invariant: string
  readonly detail: string
}

/** What a run writes down. */
export interface Recorder {
  readonly breaches: readonly Breach[]
  readonly trace: readonly string[]
  readonly report: Report
  readonly log: (line: string) => void
}

interface RecorderOptions {
  readonly seed: number
  readonly time: Time
  readonly isTraced: boolean
}

export function createRecorder({ seed, time, isTraced }: RecorderOptions): Recorder {
  const breaches: Breach[] = []
  const trace: string[] = []
  const log = (line: string) => {
    if (isTraced) trace.push(`${(time.now() - startMs).toFixed(0).padStart(6)} ${line}`)
  }
  return {
    breaches,
    trace,
    log,
    report(invariant, detail) {
      breaches.push({ seed, invariant, detail })
      log(`BREACH ${invariant}: ${detail}`)
    },
  }
}
