import type { Say } from './demo-call.ts'
import type { FaultProfile, Kind, Of } from './fault-profile.ts'
import { hex, sayLate } from './lagging.ts'
import { lieAboutValues } from './lying.ts'
import type { Upstream } from './upstream.ts'

/** What all nodes of one chain share. */
export type World = { readonly upstream: Upstream }

type Responder<K extends Kind> = (faultProfile: Of<K>, world: World, name: string) => Promise<Say>

/** Characters with valid JSON-RPC and their own replies. Each HTTP request creates a new responder. */
const responders: { readonly [K in Kind]?: Responder<K> } = {
  lagging: ({ blocks }, { upstream }) => sayLate(upstream, blocks),

  lying: async ({ lieName }, { upstream }, name) => lieAboutValues(upstream.callNode, lieName ?? name),

  async 'wrong-chain'({ chainId }, { upstream }) {
    return (call) => {
      if (call.method === 'eth_chainId') return { result: hex(chainId) }
      if (call.method === 'net_version') return { result: String(chainId) }
      return upstream.callNode(call)
    }
  },

  erring: async ({ code, message, data }) => {
    const error = { code: code ?? -32603, message, ...(data === null ? {} : { data }) }
    return () => ({ error })
  },

  limited: async ({ without }, { upstream }) => {
    const missing = (method: string) => ({
      error: { code: -32601, message: `the method ${method} does not exist/is not available` },
    })
    return (call) => (without.includes(call.method) ? missing(call.method) : upstream.callNode(call))
  },
}

/** Creates the responder of a fault profile for one HTTP request; undefined for fault profiles without one. */
export function responderOf(
  faultProfile: FaultProfile,
  world: World,
  name: string,
): (() => Promise<Say>) | undefined {
  const responder = responders[faultProfile.kind] as Responder<Kind> | undefined
  if (responder === undefined || failsByStatus(faultProfile)) return undefined
  const { only } = faultProfile
  return () =>
    responder(faultProfile, world, name).then((say) =>
      only === undefined
        ? say
        : (call) => (only.includes(call.method) ? say(call) : world.upstream.callNode(call)),
    )
}

/** An error with an HTTP status applies to the whole request, not to single calls. */
function failsByStatus(faultProfile: FaultProfile): boolean {
  return faultProfile.kind === 'erring' && (faultProfile.code === null || faultProfile.status !== 200)
}
