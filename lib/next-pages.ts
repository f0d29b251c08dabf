import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from './engine.ts'
import { createHoldings } from './holdings.ts'
import { type HostRequest, type HostResponse, refuse } from './http.ts'
import { hostLimits, pageCost, renderMsMax } from './limits.ts'
import type { HostCounts } from './observe/host-counts.ts'
import { makeFor } from './page-caller.ts'
import { isBuiltFile, pageRefusal } from './page-request.ts'
import { createRenderQueue } from './render-queue.ts'

export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Hands requests on to Next; answers instead where there is a reason not to. */
export interface NextPages {
  readonly serve: (asked: HostRequest, exchange: Exchange) => Promise<HostResponse | null>
  /** Requests that Next has not ended. */
  readonly open: () => number
}

/**
 * Pages share the event loop with the gateway, so only a few are made at once, and their visitors pay for them: a caller who asks
 * for a hundred pages waits behind itself, and no call waits behind a hundred pages.
 */
export function createNextPages(next: Listener, engine: Engine, counts: HostCounts): NextPages {
  const renders = createRenderQueue(hostLimits.renders)
  const pages = createHoldings(hostLimits.openPages, () => counts.met('openPages'))
  let open = 0
  counts.watch('renders', renders.held)
  counts.watch('openPages', pages.held)

  function hand({ request, response }: Exchange, caller: string | null): Promise<void> {
    open += 1
    response.setTimeout(idleMsMax, () => response.destroy())
    response.once('close', () => {
      open -= 1
    })
    // A page reads for its visitor, who pays for that as for any other read.
    return makeFor(caller, () => next(request, response))
  }

  async function render(asked: HostRequest, exchange: Exchange): Promise<HostResponse | null> {
    const { request, response } = exchange
    const { caller } = asked
    const waitMs = engine.gateway.spend(pageCost, caller)
    if (waitMs > 0) {
      counts.met('pageBudget')
      return refuse(429, 'too many pages', { 'retry-after': String(Math.ceil(waitMs / 1000)) })
    }
    const page = pages.hold(1, caller, () => response.destroy())
    if (page === null) return busy
    response.once('close', page.end)
    const leave = await renders.enter(caller)
    if (leave === null) {
      counts.met('renders')
      return busy
    }
    const timer = setTimeout(leave, renderMsMax)
    const end = () => {
      clearTimeout(timer)
      leave()
    }
    response.once('finish', end).once('close', end)
    // The visitor left while the request was queued.
    if (response.destroyed || request.socket.destroyed) end()
    else await hand(exchange, caller)
    return null
  }

  return {
    open: () => open,
    async serve(asked, exchange) {
      const refusal = pageRefusal(asked.method, asked.path, asked.header)
      if (refusal !== null) return refusal
      if (!isBuiltFile(asked.path)) return render(asked, exchange)
      await hand(exchange, asked.caller)
      return null
    },
  }
}

const busy = refuse(503, 'busy', { 'retry-after': '2' })

/** Next may stream a page for a while; a socket on which nothing moves for so long is abandoned. */
const idleMsMax = 120_000
