import type { Series } from '#rpc-proxy'
import { prefix } from './names.ts'
import type { Log } from './observe/line.ts'
import { createThrottle } from './observe/throttle.ts'

/** What a page of another site asked for: JSON-RPC, or a change that is the operator's. */
export type Wanted = 'rpc' | 'change'

const lineEveryMs = 1000
/** A browser sends less; a program may send anything. */
const originCharsMax = 100

/** Logs and counts pages of other sites that were refused: an attack, or a site of one's own that is missing in RPC_ALLOWED_ORIGINS. */
export interface RefusedOrigins {
  readonly note: (wanted: Wanted, origin: string | null) => void
  readonly counters: () => Series<number>[]
}

export function createRefusedOrigins(log: Log, now: () => number): RefusedOrigins {
  const counts = new Map<Wanted, number>()
  const throttle = createThrottle(lineEveryMs)
  return {
    note(wanted, origin) {
      counts.set(wanted, (counts.get(wanted) ?? 0) + 1)
      const held = throttle.pass(wanted, now())
      if (held === null) return
      const shown = origin?.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, originCharsMax) ?? null
      log.write({
        level: 'warn',
        event: 'origin-refused',
        message: 'a page of another site was refused; RPC_ALLOWED_ORIGINS lists those that may ask',
        fields: { wanted, origin: shown, ...(held ? { held } : {}) },
      })
    },
    counters: () =>
      [...counts].map(([wanted, value]) => ({
        name: `${prefix}_origins_refused_total`,
        labels: { wanted },
        value,
      })),
  }
}
