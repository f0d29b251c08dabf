import type { World } from './draw-world.ts'
import type { Report } from './judged-call.ts'
import type { Network, Sent } from './network.ts'
import type { OpenRequests } from './open-requests.ts'
import type { Time } from './time.ts'

/** What the parts of a run share. */
export interface RunContext {
  readonly world: World
  readonly time: Time
  readonly network: Network
  readonly requests: OpenRequests
  /** Counts what has happened, for sometimes.ts. */
  readonly note: (what: string) => void
  readonly isTraced: boolean
  readonly report: Report
  readonly log: (line: string) => void
}

/** Format for the trace and for breaches. */
export const label = ({ chain, node }: Sent): string => `${chain.id}/${node.name}`
