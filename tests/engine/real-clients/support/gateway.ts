import { UndiciNetwork } from '#lib/transport/send-undici.ts'
import { createGateway, parseConfig, systemClock } from '#rpc-proxy'
import type { FaultProfileInput } from '../../../../demo/nodes/fault-profile.ts'
import { startRow } from '../../../../demo/nodes/start.ts'
import type { Answered } from '../../../support/same-answer.ts'
import type { ClientChain } from './chain.ts'

export type Asking = Awaited<ReturnType<typeof startAsking>>

export interface AskingOptions {
  readonly chain: Pick<ClientChain, 'url'> & { readonly id: number }
  readonly faultProfiles: readonly FaultProfileInput[]
  /** Calls per POST to a node. */
  readonly batchCallsMax?: number
  /** Chain settings other than the defaults. */
  readonly settings?: Readonly<Record<'headMaxAgeMs', number>> & { readonly proofs?: string }
}

/** The engine with real sockets in this process, without a host around it. */
export async function startAsking({ chain, faultProfiles, batchCallsMax = 1, settings }: AskingOptions) {
  const row = await startRow({
    chainUrl: chain.url,
    nodes: faultProfiles.map((faultProfile, place) => ({ name: `node-${place}`, faultProfile })),
  })
  const { send, close } = new UndiciNetwork()
  const nodes = row.nodes.map(({ name, url }) => ({ name, url, batchCallsMax }))
  // So that a slow machine does not change the outcome.
  const config = parseConfig(
    { version: 1, chains: [{ id: chain.id, nodes, deadlineMs: 30_000, ...settings }], rate: null },
    {},
  )
  const gateway = createGateway(config, {
    clock: systemClock(),
    random: Math.random,
    randomBytes: (bytes) => crypto.getRandomValues(bytes),
    send,
  })

  async function post<Body>(body: unknown): Promise<Body> {
    const response = await gateway.handle({
      method: 'POST',
      path: `/api/rpc/${chain.id}`,
      header: (name) => (name === 'content-type' ? 'application/json' : null),
      body: async () => ({ text: JSON.stringify(body) }),
      caller: null,
      origin: null,
      signal: new AbortController().signal,
    })
    return JSON.parse(String(response.body)) as Body
  }
  const callOf = (method: string, params: readonly unknown[], id = 1) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  })

  return {
    ask: (method: string, params: readonly unknown[]) => post<Answered>(callOf(method, params)),
    batch: (calls: readonly (readonly [method: string, params: readonly unknown[]])[]) =>
      post<readonly Answered[]>(calls.map(([method, params], at) => callOf(method, params, at))),
    async stop() {
      gateway.close()
      await row.stop()
      await close()
    },
  }
}
