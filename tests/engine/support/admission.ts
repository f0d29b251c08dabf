import { type AdmissionOptions, createAdmission } from '../../../rpc-proxy/admission/admission.ts'
import type { BudgetPeers } from '../../../rpc-proxy/events/ports.ts'
import { methodSpec } from '../../../rpc-proxy/methods/table.ts'
import { CallError } from '../../../rpc-proxy/runtime/errors.ts'

const address = '0x00000000000000000000000000000000000000aa'
const costing = (cost: number) => ({ ...methodSpec('eth_getBalance'), cost })

/** An admission with a clock of its own, and what becomes of calls and requests. */
export function door(
  fields: Partial<AdmissionOptions> = {},
  { time = { ms: 1_000_000 }, peers = null as BudgetPeers | null } = {},
) {
  const options = {
    limits: { inFlightMax: 2 },
    rate: { costPerMinute: 180, siteCallsPerSecond: null },
    methods: { deny: [], contracts: null },
    ...fields,
  }
  const admission = createAdmission(options, { now: () => time.ms, after: () => () => {} }, peers)
  /** `in`, or the refusal and its Retry-After. */
  const verdictOf = (run: () => unknown) => {
    try {
      run()
      return 'in'
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      return [error.kind, error.retryAfterMs]
    }
  }
  const call = (caller: string | null = '203.0.113.7', cost = 1) =>
    verdictOf(() => admission.call(costing(cost), [address, 'latest'], caller))
  const request = (caller: string | null = '203.0.113.7') =>
    verdictOf(() => {
      admission.check(caller)
      admission.enter(null)
    })
  const spend = (times: number, caller: string | null = '203.0.113.7') =>
    Array.from({ length: times }, () => call(caller)).filter((verdict) => verdict === 'in').length
  return { admission, time, call, request, spend, options }
}
