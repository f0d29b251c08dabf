import { AsyncLocalStorage } from 'node:async_hooks'
import type { HostRequest, HostResponse } from '../http.ts'
import { callerOf } from '../limits/caller-address.ts'
import { processWide } from '../process-wide.ts'
import { runningConfig } from './engine.ts'
import { routesHere } from './gateway-address.ts'

/**
 * The caller whose page is being rendered, whose budget pays for its reads. The Node host sets it outside of the request, elsewhere it is
 * taken from trusted hops. Null where callers cannot be told apart or have no budgets.
 */
export function pageCaller(forwardedFor: string | null): string | null {
  const callerInContext = callers.getStore()
  if (callerInContext !== undefined) return callerInContext
  return callerOf(forwardedFor, null, runningConfig().rate?.trustedHops ?? 0)
}

/** Runs `render` with `pageCaller` set to this caller. */
export function renderFor<Rendered>(caller: string | null, render: () => Rendered): Rendered {
  return callers.run(caller, render)
}

/** Has these routes answer what pages of this process read. The budget of the page's visitor pays for what has a price. */
export function answerPagesBy(answer: (request: HostRequest) => Promise<HostResponse>): void {
  routesHere.value = (request) => answer({ ...request, caller: pageCaller(null) })
}

const callers = processWide('page-caller', new AsyncLocalStorage<string | null>()).value
