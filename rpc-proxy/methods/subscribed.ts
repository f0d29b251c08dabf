import { logFilter } from './log-filter.ts'
import type { MethodSpec } from './method-spec.ts'
import { badParams, params, preview, term } from './params.ts'

const kind = term('newHeads or logs', (value) => (typeof value === 'string' ? value : undefined))
const ofLogs = params(kind, logFilter)
const anything = term('anything', (value) => value ?? null)
const ofHeads = params(kind, anything)

/** What is subscribed to: `newHeads`, or `logs` and a filter. */
export const subscribed: MethodSpec['parse'] = (given) => {
  switch (given[0]) {
    case 'newHeads':
      return ofHeads(given).slice(0, 1)
    case 'logs':
      return ofLogs([given[0], given[1] ?? {}, ...given.slice(2)])
    case 'newPendingTransactions':
      throw badParams('no subscription to pending transactions: no quorum can agree on a mempool')
    default:
      throw badParams(`argument 0: want newHeads or logs, got ${preview(given[0])}`)
  }
}
