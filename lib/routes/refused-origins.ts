import type { HostCounts } from '../observe/host-counts.ts'
import type { LogWriter } from '../observe/line.ts'
import { createThrottledLog } from '../observe/throttle.ts'

/** What the refused page asked for: JSON-RPC, or a change reserved to the operator. */
type Wanted = 'rpc' | 'change'

const lineEveryMs = 1000
/** Browsers send less, but other programs can send anything. */
const originCharsMax = 100

/** Logs and counts refused pages of other sites: an attack, or an own site missing in RPC_ALLOWED_ORIGINS. */
export function createRefusedOrigins(
  log: LogWriter,
  { now, counts }: { readonly now: () => number; readonly counts: Pick<HostCounts, 'counter'> },
): (wanted: Wanted, origin: string | null) => void {
  const count = counts.counter<Wanted>('origins_refused_total', 'wanted')
  const write = createThrottledLog(log, { everyMs: lineEveryMs, now })
  return (wanted, origin) => {
    count(wanted)
    const visible = origin?.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, originCharsMax) ?? null
    write(wanted, {
      level: 'warn',
      event: 'origin-refused',
      message: 'a page of another site was refused; RPC_ALLOWED_ORIGINS lists those that may ask',
      fields: { wanted, origin: visible },
    })
  }
}
