import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '../../engine/engine.ts'
import { renderFor } from '../../engine/page-caller.ts'
import { type HostRequest, type HostResponse, refuse } from '../../http.ts'
import { hostLimits, pageCost, passedBodyBytesMax, renderMsMax } from '../../limits/host-limits.ts'
import { boundPassedBody } from '../../limits/passed-body.ts'
import { createHostQuota } from '../../limits/quota.ts'
import { createRenderSlots } from '../../limits/render-slots.ts'
import type { HostCounts } from '../../observe/host-counts.ts'
import { isBuiltFile, pageError } from '../../routes/page-request.ts'

export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface NodePair {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Passes requests to Next, or answers with a refusal. */
export interface NextPages {
  readonly serve: (hostRequest: HostRequest, nodePair: NodePair) => Promise<HostResponse | null>
  /** Requests that Next has not finished. */
  readonly open: () => number
}

/**
 * Pages share the event loop with the gateway. So only a few are rendered at once, and each costs its visitor budget: a caller
 * that requests a hundred pages delays only itself, never JSON-RPC calls.
 */
export function createNextPages(next: Listener, engine: Engine, counts: HostCounts): NextPages {
  const renders = createRenderSlots(hostLimits.renders)
  const pages = createHostQuota('openPages', counts)
  let open = 0
  counts.watch('renders', renders.inFlight)

  function hand({ request, response }: NodePair, caller: string | null): Promise<void> {
    open += 1
    response.setTimeout(idleMsMax, () => response.destroy())
    response.once('close', () => {
      open -= 1
    })
    // What the page reads is paid from its visitor's budget.
    return renderFor(caller, () => next(request, response))
  }

  async function render(hostRequest: HostRequest, nodePair: NodePair): Promise<HostResponse | null> {
    const { request, response } = nodePair
    const { caller } = hostRequest
    const waitMs = engine.gateway.spend(pageCost, caller)
    if (waitMs > 0) {
      counts.met('pageBudget')
      return refuse(429, 'too many pages', { 'retry-after': String(Math.ceil(waitMs / 1000)) })
    }
    const page = pages.take(1, caller, () => response.destroy())
    if (page === null) return busy
    response.once('close', page.end)
    const leave = await renders.take(caller)
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
    else await hand(nodePair, caller)
    return null
  }

  return {
    open: () => open,
    async serve(hostRequest, nodePair) {
      const errorResponse = pageError(hostRequest.method, hostRequest.path, hostRequest.header)
      if (errorResponse !== null) return errorResponse
      if (Number(hostRequest.header('content-length') ?? 0) > passedBodyBytesMax) return tooLarge
      // Before it may have to wait for its turn.
      boundPassedBody(nodePair.request, passedBodyBytesMax)
      if (!isBuiltFile(hostRequest.path)) return render(hostRequest, nodePair)
      await hand(nodePair, hostRequest.caller)
      return null
    },
  }
}

const tooLarge = refuse(413, 'the body is too large')
const busy = refuse(503, 'busy', { 'retry-after': '2' })

/** Next may stream a page for a while. A socket idle for longer than this is closed. */
const idleMsMax = 120_000
