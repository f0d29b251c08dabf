import type { CallerConfig } from '../config/config-types.ts'
import type { BudgetPeers } from '../events/ports.ts'
import type { MethodSpec } from '../methods/method-spec.ts'
import type { Clock } from '../runtime/clock.ts'
import { createDictionary } from '../runtime/dictionary.ts'
import { CallError } from '../runtime/errors.ts'
import type { Pace } from '../runtime/token-bucket.ts'
import { KeyedCallers, reachesOnly } from './caller.ts'
import { createRate, type RateOptions } from './rate.ts'
import { Usage } from './usage.ts'

/** What is read of a configuration here. */
export interface AdmissionOptions {
  readonly limits: { readonly inFlightMax: number }
  /** Null: callers have no budget. */
  readonly rate: RateOptions | null
  readonly methods: { readonly deny: readonly string[]; readonly contracts: readonly string[] | null }
  readonly callers?: readonly CallerConfig[]
}

const overloadedRetryMs = 1000

/** One caller may hold as many of the places. */
const callerShare = 1 / 4

/** Bytes of an answer that cost as much as a call of cost 1; what is shorter goes out with its call. */
const answerBytesPerCost = 50_000

/** Overload, rates and policy: decides whether a request or a call is served. Budgets are kept for the last 10,000 callers at least. */
export function createAdmission(options: AdmissionOptions, clock: Clock, peers: BudgetPeers | null = null) {
  const keyed = new KeyedCallers(options.callers ?? [])
  const usage = new Usage(clock)
  const policyOf = ({ limits, methods, rate }: AdmissionOptions) => ({
    inFlightMax: limits.inFlightMax,
    deny: new Set(methods.deny),
    contracts: methods.contracts && new Set(methods.contracts),
    rate,
  })
  let policy = policyOf(options)
  const { owes, spentElsewhere, ...rate } = createRate({
    clock,
    options: () => policy.rate,
    paceOf(key) {
      const caller = keyed.at(key)
      return caller && (caller.pace() ?? (policy.rate === null ? boundless : null))
    },
    onSpent(key, cost) {
      peers?.spent(key, cost)
      const caller = keyed.at(key)
      if (caller !== null) usage.spend(caller.name, cost)
    },
  })
  peers?.listen(spentElsewhere)
  const inFlightOf = createDictionary<number>()
  let inFlight = 0

  function count(caller: string | null, change: 1 | -1): void {
    inFlight += change
    if (caller === null) return
    const own = (inFlightOf[caller] ?? 0) + change
    if (own === 0) delete inFlightOf[caller]
    else inFlightOf[caller] = own
  }

  function shed(): void {
    if (inFlight >= policy.inFlightMax) throw new CallError('overloaded', { retryAfterMs: overloadedRetryMs })
  }

  return {
    ...rate,
    keyed,
    usage,
    /**
     * A request has arrived, unread, and takes no place yet. Throws CallError `overloaded` when as many are in as fit,
     * `too-many-requests` when its caller cannot pay for the cheapest call.
     */
    check(caller: string | null): void {
      // Shed before anything else is done for it: under overload every look at a request is one too many.
      shed()
      pay(owes(caller))
    },
    /**
     * Its body is there, and it takes a place. Throws CallError `overloaded` when as many are in as fit, `too-many-requests`
     * when its caller holds a quarter of the places.
     */
    enter(caller: string | null): void {
      shed()
      if (caller !== null && (inFlightOf[caller] ?? 0) >= Math.ceil(policy.inFlightMax * callerShare))
        throw new CallError('too-many-requests', { retryAfterMs: overloadedRetryMs })
      count(caller, 1)
    },
    /** A request that has entered is answered. Call it once. */
    leave(caller: string | null): void {
      count(caller, -1)
    },
    /**
     * A call with its canonical params. Throws CallError `no-method` for a denied method, `not-allowed` for a contract
     * outside the list or what a caller's key does not allow, `too-many-requests` when the caller or the site has spent its budget, and then takes nothing.
     * It costs `times` what a round of the voters does. Returns what it has cost.
     */
    call(spec: MethodSpec, params: readonly unknown[], caller: string | null, times = 1): number {
      const { deny, contracts } = policy
      if (deny.has(spec.method))
        throw new CallError('no-method', {
          message: `the method ${spec.method} does not exist / is not available`,
        })
      if (contracts !== null && !reachesOnly(spec, params, contracts)) throw new CallError('not-allowed')
      const account = keyed.at(caller)
      account?.check(spec, params)
      if (account !== null) usage.checkMonth(account.name, account.perMonth)
      const cost = times * (spec.costOf?.(params) ?? spec.cost)
      pay(rate.spend(cost, caller))
      return cost
    },
    /** An answer of this many bytes goes out: each full `answerBytesPerCost` of it costs one. */
    answered(bytes: number, caller: string | null): void {
      if (bytes >= answerBytesPerCost) rate.done(Math.floor(bytes / answerBytesPerCost), caller)
    },
    inFlight: () => inFlight,
    /** Takes over other limits; who is in stays in, and what was spent stays spent. */
    reload(next: AdmissionOptions): void {
      keyed.reload(next.callers ?? [])
      policy = policyOf(next)
    },
  }
}

export type Admission = ReturnType<typeof createAdmission>

/** Counted and never reached. */
const boundless: Pace = { tokensMax: 1e12, perMs: 1e9 }

function pay(waitMs: number): void {
  if (waitMs > 0) throw new CallError('too-many-requests', { retryAfterMs: waitMs })
}
