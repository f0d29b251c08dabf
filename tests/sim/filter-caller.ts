import { Abort, type Gateway } from '#rpc-proxy'
import type { EventWatch } from './chain-watch.ts'
import { createChance } from './chance.ts'
import type { RunContext } from './run-context.ts'
import { blockOf } from './universe.ts'
import { startMs, type WorldChain } from './world.ts'

interface Replica {
  readonly context: RunContext
  readonly gateway: Gateway
  readonly watch: EventWatch
}

interface FilterOptions {
  readonly replicas: readonly Replica[]
  /** From then on nothing is lost; epoch milliseconds. */
  readonly calmMs: number
}

/** It polls until so long after the last request. */
const lastMs = 6_000

/** A caller of a filter of blocks at one replica (R1): no block is missing, and none comes twice. */
export function startFilterCaller({ replicas, calmMs }: FilterOptions): void {
  const [{ context }] = replicas as readonly [Replica]
  const { world, time, report, note, log } = context
  const { settings, lengthMs } = world
  // Limits, budgets and what is in flight at a drain are those of other callers.
  if (settings.inFlightMax < 1_000 || settings.costPerMinute !== null || settings.end !== null) return
  const chance = createChance(world.seed ^ 0x3c6ef372)
  const chain = world.chains[0] as WorldChain
  const owner = chance.pick(replicas)
  const endMs = calmMs + lastMs
  const numbers: number[] = []
  let id: string | null = null

  async function ask({ gateway }: Replica, method: string, params: readonly unknown[]) {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { body } = await gateway.handle({
      ...{ method: 'POST', path: `/api/rpc/${chain.id}`, caller: null, origin: null },
      header: (name) => (name === 'content-type' ? 'application/json' : null),
      body: async () => ({ text }),
      signal: new Abort(),
    })
    log(`FILTER ${method} ${body.slice(0, 300)}`)
    return JSON.parse(body) as { readonly result?: unknown; readonly error?: { readonly message: string } }
  }

  async function poll(): Promise<void> {
    const { result, error } = await ask(owner, 'eth_getFilterChanges', [id])
    if (time.now() >= endMs) return
    if (error?.message === 'filter not found') report('R1', 'a filter is not found where it is')
    if (!Array.isArray(result)) return
    if (result.length > 0) note('filter: changes')
    for (const hash of result) check(blockOf(String(hash))?.number ?? null)
  }

  function check(number: number | null): void {
    const { soundness } = (
      owner.watch.chains.get(chain.id) as NonNullable<ReturnType<EventWatch['chains']['get']>>
    ).everyday
    const isPlain = !chain.hasReorg && chain.reset === null && settings.cordons.length === 0
    if (number === null || !soundness.isSound || !isPlain || settings.reload !== null) return
    const last = Math.max(...numbers)
    if (numbers.length > 0 && number > last + 1) report('R1', `a filter tells ${number} after ${last}`)
    if (numbers.length > 0 && number <= last) report('R1', `a filter tells ${number} again after ${last}`)
    numbers.push(number)
  }

  const again = () =>
    time.at(time.now() + 1 + chance.int(chance.pick([50, 400, 2_500])), 0.5, () => void turn())
  async function turn(): Promise<void> {
    if (time.now() >= endMs) return
    if (id !== null) await poll()
    else id = String((await ask(owner, 'eth_newBlockFilter', [])).result ?? '') || null
    again()
  }
  time.at(startMs + chance.int(Math.min(lengthMs, 2_000)), 0.5, () => void turn())
}
