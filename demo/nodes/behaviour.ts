import { behaveAs } from './clients/real.ts'
import { type Answer, type Behaviour, callsIn, type DemoRequest, type Say, speak } from './demo-call.ts'
import { distortions, inventions } from './distortions.ts'
import type { FaultProfile, Kind, Of } from './fault-profile.ts'
import { hex, sayLate } from './lagging.ts'
import { lieAboutValues } from './lying.ts'
import type { Upstream } from './upstream.ts'

/** Creates the behaviour of a fault profile, with new counters and clocks. */
export function behaviourOf(faultProfile: FaultProfile, upstream: Upstream, name: string): Behaviour {
  const honest = forwardTo(upstream)
  const createFault = faults[faultProfile.kind] as Fault<Kind> | undefined
  const behave = createFault?.(faultProfile, honest, { upstream, name }) ?? honest
  const { only } = faultProfile
  if (only === undefined) return behave
  return (incoming) =>
    callsIn(incoming.body).some((call) => only.includes(call.method)) ? behave(incoming) : honest(incoming)
}

/** Valid JSON-RPC with replies of its own, call by call. Each HTTP request opens them again. */
function replying(
  { only }: Pick<FaultProfile, 'only'>,
  upstream: Upstream,
  open: () => Say | Promise<Say>,
): Behaviour {
  return async (incoming) => {
    const say = await open()
    await speak(incoming, (call) =>
      only?.includes(call.method) === false ? upstream.callNode(call) : say(call),
    )
  }
}

/** Forwards bytes unchanged, except for fee histories, where anvil's answer depends on its head. */
function forwardTo(upstream: Upstream): Behaviour {
  return async (incoming) =>
    incoming.body.includes('eth_feeHistory')
      ? speak(incoming, upstream.callNode)
      : incoming.respond(await upstream.forward(incoming.body))
}

type Fault<K extends Kind> = (
  faultProfile: Of<K> & Pick<FaultProfile, 'only'>,
  honest: Behaviour,
  node: { readonly upstream: Upstream; readonly name: string },
) => Behaviour

const faults: { readonly [K in Kind]?: Fault<K> } = {
  lagging: (own, _, { upstream }) => replying(own, upstream, () => sayLate(upstream, own.blocks)),

  lying: (own, _, { upstream, name }) =>
    replying(own, upstream, () => lieAboutValues(upstream.callNode, own.lieName ?? name)),

  'wrong-chain': (own, _, { upstream }) =>
    replying(own, upstream, () => (call) => {
      if (call.method === 'eth_chainId') return { result: hex(own.chainId) }
      if (call.method === 'net_version') return { result: String(own.chainId) }
      return upstream.callNode(call)
    }),

  limited: (own, _, { upstream }) =>
    replying(own, upstream, () => (call) => {
      const message = `the method ${call.method} does not exist/is not available`
      return own.without.includes(call.method)
        ? { error: { code: -32601, message } }
        : upstream.callNode(call)
    }),

  slow: ({ delayMs, jitterMs }, honest) => after(() => delayMs + Math.random() * jitterMs, honest),

  hanging: () => () => {},

  erring: (own, _, { upstream }) => {
    const { status, code, message, data } = own
    if (code === null) return ({ respond }) => respond({ status, body: message })
    const error = { code, message, ...(data === null ? {} : { data }) }
    if (status === 200) return replying(own, upstream, () => () => ({ error }))
    // The status applies to the whole request, not to single calls.
    return async (incoming) =>
      speak({ ...incoming, respond: (answer) => incoming.respond({ ...answer, status }) }, () => ({ error }))
  },

  flapping: ({ upMs, downMs }, honest) => {
    const startMs = performance.now()
    const isUp = () => (performance.now() - startMs) % Math.max(1, upMs + downMs) < upMs
    return (incoming) => (isUp() ? honest(incoming) : reset(incoming))
  },

  'rate-limiting': ({ calls, retryAfterS, as }, honest) => {
    let windowEndsMs = 0
    let left = 0
    return (incoming) => {
      const nowMs = performance.now()
      if (nowMs >= windowEndsMs) {
        windowEndsMs = nowMs + 1000
        left = calls
      }
      left -= Math.max(1, callsIn(incoming.body).length)
      if (left >= 0) return honest(incoming)
      const error = { code: -32005, message: 'limit exceeded' }
      if (as === 'rpc') return speak(incoming, () => ({ error }))
      incoming.respond({
        status: 429,
        headers: { 'retry-after': String(retryAfterS) },
        body: 'Too Many Requests',
      })
    }
  },

  garbage: ({ form, bytes }, honest) => {
    const invent = inventions[form]
    if (invent !== undefined) return ({ respond }) => respond(invent(bytes))
    const distort = distortions[form]
    return (incoming) =>
      honest({ ...incoming, respond: (answer) => incoming.respond(distort?.(answer) ?? answer) })
  },

  resetting: ({ at }, honest) => {
    if (at === 'request') return reset
    return (incoming) => honest({ ...incoming, respond: (answer) => breakOff(incoming, answer) })
  },

  trickling: ({ bytes, everyMs }, honest) => {
    return (incoming) =>
      honest({ ...incoming, respond: (answer) => void trickle(incoming, answer, { bytes, everyMs }) })
  },

  real: ({ name }, _, { upstream }) => behaveAs(name, upstream),
}

function after(delayMs: () => number, next: Behaviour): Behaviour {
  return async (incoming) => {
    const gone = await waitOrGone(incoming, delayMs())
    if (!gone) await next(incoming)
  }
}

function reset({ request }: DemoRequest): void {
  request.socket.resetAndDestroy()
}

function breakOff({ request, response }: DemoRequest, { body }: Answer): void {
  const whole = Buffer.from(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
  response.flushHeaders()
  response.write(whole.subarray(0, whole.length >> 1), () =>
    setImmediate(() => request.socket.resetAndDestroy()),
  )
}

async function trickle(
  incoming: DemoRequest,
  { status, headers, body }: Answer,
  { bytes, everyMs }: { bytes: number; everyMs: number },
): Promise<void> {
  const whole = Buffer.from(body)
  const { response } = incoming
  response.writeHead(status, {
    'content-type': 'application/json',
    ...headers,
    'content-length': whole.length,
  })
  for (let at = 0; at < whole.length; at += bytes) {
    response.write(whole.subarray(at, at + bytes))
    if (await waitOrGone(incoming, everyMs)) return
  }
  response.end()
}

/** Waits, and returns true early when the caller disconnects. */
function waitOrGone({ response }: DemoRequest, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const left = () => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => {
      response.off('close', left)
      resolve(response.destroyed)
    }, ms)
    response.once('close', left)
  })
}
