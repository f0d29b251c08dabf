import { createDeadlines } from './deadlines.ts'
import { createHoldings, type Holdings } from './holdings.ts'
import { hostLimits, type LimitCounts } from './host-limits.ts'
import { createOutgoing, type Outgoing } from './outgoing.ts'

/** Holdings under one of the host's limits, with their metrics. */
export function countedHoldings(
  limit: Exclude<keyof typeof hostLimits, 'renders'>,
  counts: LimitCounts,
): Holdings {
  const holdings = createHoldings(hostLimits[limit], () => counts.met(limit))
  counts.watch(limit, holdings.held)
  return holdings
}

/** Outgoing answers under the host's limits, with their metrics. */
export function countedOutgoing(counts: LimitCounts): Outgoing {
  return createOutgoing(countedHoldings('outgoing', counts), createDeadlines(), () =>
    counts.met('slowReaders'),
  )
}
