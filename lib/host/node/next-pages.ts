import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyBytesMax } from '#site'
import type { Engine } from '../../engine/engine.ts'
import { renderFor } from '../../engine/page-caller.ts'
import { type HostRequest, type HostResponse, refuse } from '../../http.ts'
import { hostLimits, openBodyBytesMin, pageCost, renderMsMax } from '../../limits/host-limits.ts'
import { boundPassedBody } from '../../limits/passed-body.ts'
import { createHostQuota, type Quota } from '../../limits/quota.ts'
import { createRenderSlots } from '../../limits/render-slots.ts'
import type { HostCounts } from '../../observe/host-counts.ts'
import type { BuiltApp } from '../../routes/built-app.ts'
import { hasBody, isBuiltFile, pageError } from '../../routes/page-request.ts'

export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** Next, and what its build declares; null for `npm run dev`, which has none. */
export interface NextApp {
  readonly handle: Listener
  readonly built: BuiltApp | null
  /** Where Next listens for the upgrades of its hot reload, in `npm run dev`. */
  readonly reloads?: Pick<EventEmitter, 'emit'>
}

interface NodePair {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export type NextPages = ReturnType<typeof createNextPages>

/**
 * Pages share the event loop with the gateway. So only a few are rendered at once, and each costs its visitor budget: a caller
 * that requests a hundred pages delays only itself, never JSON-RPC calls.
 */
export function createNextPages(
  { handle, built }: NextApp,
  {
    engine,
    counts,
    bodies,
  }: { readonly engine: Engine; readonly counts: HostCounts; readonly bodies: Quota },
) {
  const renders = createRenderSlots(hostLimits.renders)
  const pages = createHostQuota('openPages', counts)
  let open = 0
  counts.watch('renders', renders.inFlight)

  function hand({ request, response }: NodePair, caller: string | null): Promise<void> {
    open += 1
    // Next's development server adds as many listeners as Node takes for a leak.
    response.setMaxListeners(0)
    // `npm run dev` compiles a page when it is first asked for, however long that takes.
    if (built !== null) response.setTimeout(idleMsMax, () => response.destroy())
    response.once('close', () => {
      open -= 1
    })
    // What the page reads is paid from its visitor's budget.
    return renderFor(caller, () => handle(request, response))
  }

  /** Next holds a body until it has answered. Bounded before it may have to wait for its turn. */
  function takeBody(
    { request, response }: NodePair,
    { header, caller }: Pick<HostRequest, 'header' | 'caller'>,
  ): HostResponse | null {
    if (!hasBody(header)) return null
    const bytes = Number(header('content-length') ?? bodyBytesMax)
    if (bytes > bodyBytesMax) return tooLarge
    const lease = bodies.acquire(Math.max(bytes, openBodyBytesMin), caller, () => request.destroy())
    if (lease === null) return tooMany
    response.once('close', lease.end)
    boundPassedBody(request, bodyBytesMax)
    return null
  }

  async function render(hostRequest: HostRequest, nodePair: NodePair): Promise<HostResponse | null> {
    const { request, response } = nodePair
    const { caller } = hostRequest
    const waitMs = engine.gateway.spend(pageCost, caller)
    if (waitMs > 0) {
      counts.met('pageBudget')
      return refuse(429, 'too many pages', { 'retry-after': String(Math.ceil(waitMs / 1000)) })
    }
    const page = pages.acquire(1, caller, () => response.destroy())
    if (page === null) return busy
    response.once('close', page.end)
    const leave = await renders.acquire(caller)
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
    /** Requests that Next has not finished. */
    open: () => open,
    /** Passes a request to Next, or returns the refusal to answer with. */
    async serve(hostRequest: HostRequest, nodePair: NodePair): Promise<HostResponse | null> {
      const { method, path, header, caller } = hostRequest
      const undeclared = built && pageError(method, path, { header, built })
      const errorResponse = undeclared ?? takeBody(nodePair, { header, caller })
      if (errorResponse !== null) return errorResponse
      if (!isBuiltFile(path)) return render(hostRequest, nodePair)
      await hand(nodePair, caller)
      return null
    },
  }
}

const tooLarge = refuse(413, 'the body is too large')
const tooMany = refuse(429, 'too many bodies', { 'retry-after': '1' })
const busy = refuse(503, 'busy', { 'retry-after': '2' })

/** Next may stream a page for a while. A socket idle for longer than this is closed. */
const idleMsMax = 120_000
