import { setTimeout as pause } from 'node:timers/promises'
import type { Keeper } from '../../../../demo/keeper.ts'
import { postJson } from '../../../support/post-json.ts'
import { type Side, startGateway, threeMakes } from './world.ts'

/** Error situations of a gateway that callers notice. */
export const situations = ['lost quorum', 'rate limit', 'overload'] as const
export type Situation = (typeof situations)[number]

/** A gateway in each situation, with the same chain and nodes, for the whole run. */
export async function startTroubled(keeper: Keeper) {
  const started = await Promise.all([lostQuorum(keeper), rateLimit(keeper), overload(keeper)])
  const [lost, limited, loaded] = started
  return {
    sides: { 'lost quorum': lost, 'rate limit': limited, overload: loaded } satisfies Record<Situation, Side>,
    async stop() {
      await Promise.all(started.map((side) => side.stop()))
    },
  }
}

/** Three nodes that agree on blocks and on no balance. */
function lostQuorum(keeper: Keeper): Promise<Side> {
  const lying = (lieName: string) => ({ kind: 'lying', lieName }) as const
  return startGateway(keeper, { nodes: { a: lying('a'), b: lying('b'), c: lying('c') } })
}

/** One call a minute, after the most expensive call, so that no budget is left for twenty minutes. */
async function rateLimit(keeper: Keeper): Promise<Side> {
  const side = await startGateway(keeper, { nodes: threeMakes, config: { rate: { costPerMinute: 1 } } })
  const spend = (signal: AbortSignal) => post(side.url, 'eth_simulateV1', signal)
  await spend(AbortSignal.timeout(30_000))
  return busy(side, { status: 429, everyMs: 1000, ask: spend })
}

/** A limit of one request, which hangs. */
async function overload(keeper: Keeper): Promise<Side> {
  const hanging = { kind: 'hanging', only: ['eth_getCode'] } as const
  const side = await startGateway(keeper, {
    nodes: { a: hanging, b: hanging, c: hanging },
    config: { limits: { inFlightMax: 1 }, rate: null },
    chain: { deadlineMs: 120_000 },
  })
  return busy(side, { status: 503, everyMs: 0, ask: (signal) => post(side.url, 'eth_getCode', signal) })
}

/** Keeps a gateway busy until stopped; resolves when it refuses with this status. */
async function busy(
  side: Side,
  {
    status,
    everyMs,
    ask,
  }: { status: number; everyMs: number; ask: (signal: AbortSignal) => Promise<unknown> },
): Promise<Side> {
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) {
      await ask(over.signal).catch(() => {})
      await pause(everyMs, undefined, { signal: over.signal }).catch(() => {})
    }
  })()
  while ((await post(side.url, 'eth_chainId', over.signal)).status !== status);
  return {
    ...side,
    async stop() {
      over.abort()
      await asking
      await side.stop()
    },
  }
}

const paramsOf: Readonly<Record<string, readonly unknown[]>> = {
  eth_getCode: [`0x${'c0de'.repeat(10)}`, 'latest'],
  eth_simulateV1: [{ blockStateCalls: [{ calls: [{ to: `0x${'c0de'.repeat(10)}` }] }] }, 'latest'],
}

const post = (url: string, method: string, signal: AbortSignal) =>
  postJson(url, { jsonrpc: '2.0', id: 1, method, params: paramsOf[method] ?? [] }, {}, signal)
