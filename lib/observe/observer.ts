import type { Clock, EngineEvent, RequestRecord } from '#rpc-proxy'
import type { LogWriter } from './line.ts'
import { lineOf, requestLine } from './lines.ts'
import { createThrottledLog } from './throttle.ts'
import type { Trace } from './trace.ts'
import type { Traced } from './traced.ts'

export interface ObserverOptions {
  readonly log: LogWriter
  /** Null without tracing. */
  readonly trace: Trace | null
  /** Remembers traced requests. */
  readonly traced: Pick<Traced, 'note'>
  readonly clock: Clock
}

/** A chain under traffic whose agreed head has not moved for this long is stuck. */
const stuckMs = 60_000

/** Turns engine events into log lines and spans; for `Ports.emit`. Cheap while nothing is logged or traced. */
export function createObserver({ log, trace, traced, clock }: ObserverOptions): (event: EngineEvent) => void {
  const writeOfBurst = createThrottledLog(log, { everyMs: 1000, now: () => clock.now() })
  const heads = new Map<number, { movedMs: number; polledMs: number; isReported: boolean }>()

  function noteRequest(request: RequestRecord): void {
    const ids = trace?.(request) ?? null
    if (ids !== null) traced.note(request, ids.traceId)
    if (log.isOn('debug')) log.write(requestLine(request, ids))
    if (request.chainId !== null) noteTraffic(request.chainId, request.endMs)
  }

  function noteTraffic(chain: number, nowMs: number): void {
    const head = heads.get(chain)
    if (head === undefined) return
    // Heads are not polled without traffic, so the time starts again with the first call.
    if (nowMs - head.polledMs > idleMsMin) head.movedMs = nowMs
    head.polledMs = nowMs
    if (head.isReported || nowMs - head.movedMs < stuckMs) return
    head.isReported = true
    const fields = { chain, ms: Math.round(nowMs - head.movedMs) }
    log.write({ level: 'warn', event: 'head-stuck', message: 'the agreed head does not move', fields })
  }

  function headMoved(chain: number, nowMs: number): void {
    heads.set(chain, { movedMs: nowMs, polledMs: nowMs, isReported: false })
  }

  return (event) => {
    if (event.type === 'request') return noteRequest(event.request)
    if (event.type === 'head') headMoved(event.chainId, clock.now())
    const line = lineOf(event)
    if (line === null || !log.isOn(line.level)) return
    const { chain, node, fault, method } = line.fields
    if (bursts.has(line.event)) writeOfBurst(`${line.event} ${chain} ${node} ${fault ?? method}`, line)
    else log.write(line)
  }
}

/** After this time without a call, the head's age is not meaningful. */
const idleMsMin = 10_000

/** Faults of a node that is down, disputes of one that lies, and the like: one line a second of each kind. */
const bursts = new Set([
  'fault',
  'too-many-files',
  'shed',
  'rate-limited',
  'stall',
  'dissent',
  'dispute',
  'no-quorum',
])
