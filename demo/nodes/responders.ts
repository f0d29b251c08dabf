import type { DemoCall, DemoReply, Say } from './demo-call.ts'
import { type Forks, sayFabricated } from './fabricating.ts'
import type { FaultProfile, Kind, Of } from './fault-profile.ts'
import { sayLate } from './lagging.ts'
import { lieAboutValues } from './lying.ts'
import type { Upstream } from './upstream.ts'
import { failed, hex } from './view.ts'

/** State shared by all nodes of one chain. */
export type World = { readonly upstream: Upstream; readonly forks: Forks }

type Responder<K extends Kind> = (faultProfile: Of<K>, world: World, name: string) => Promise<Say>

/** Characters with valid JSON-RPC and their own replies. Each HTTP request creates a new responder. */
const responders: { readonly [K in Kind]?: Responder<K> } = {
  lagging: ({ blocks }, { upstream }) => sayLate(upstream, blocks),

  async lying({ about, lieName, blocksAhead }, { upstream, forks }, name) {
    const own = lieName ?? name
    if (about === 'values') return lieAboutValues(upstream.callNode, own)
    const fabricated = await sayFabricated(upstream, { lieName: own, blocksAhead, forks })
    return about === 'heads' ? fabricated : lieAboutValues(fabricated, own)
  },

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

  limited: async (faultProfile, { upstream }) => {
    const head = faultProfile.depthBlocksMax === null ? 0 : await upstream.head()
    return (call) => blockError(faultProfile, call, head) ?? upstream.callNode(call)
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

function blockError(
  faultProfile: Of<'limited'>,
  { method, params }: DemoCall,
  head: number,
): DemoReply | undefined {
  if (faultProfile.without.includes(method)) {
    return failed(-32601, `the method ${method} does not exist/is not available`)
  }
  if (faultProfile.unauthorised.includes(method))
    return failed(-32000, 'Unauthorized: this method needs a paid plan')
  const filter = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
  const { logsRangeMax, depthBlocksMax } = faultProfile
  if (method === 'eth_getLogs' && logsRangeMax !== null) {
    const blocks = Number(filter.toBlock) - Number(filter.fromBlock) + 1
    if (blocks > logsRangeMax) return failed(-32005, `query exceeds max block range ${logsRangeMax}`)
  }
  const number = params
    .map(Number)
    .find((_, index) => index > 0 && /^0x[0-9a-f]{1,16}$/i.test(String(params[index])))
  if (depthBlocksMax !== null && number !== undefined && head - number > depthBlocksMax) {
    return failed(-32000, 'missing trie node (pruned): required historical state unavailable')
  }
  return undefined
}
