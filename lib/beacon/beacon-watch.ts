import { Worker } from 'node:worker_threads'
import { type Config, type Gateway, type SignedFinality, signedAgeMsMax } from '#rpc-proxy'
import type { Proxies } from '../transport/outbound-proxy.ts'
import type { BeaconSettings } from './follow-beacon.ts'

/** What the thread of a light client is told. */
export interface BeaconWork extends BeaconSettings {
  readonly proxies: Proxies | null
  /** How often it looks; a block becomes final every 6.4 minutes. */
  readonly everyMs: number
}

/** Tells the engine what the sync committee signs, where the configuration wants that. */
export interface BeaconWatch {
  /** Takes over a configuration. */
  readonly apply: (config: Config) => void
  readonly stop: () => Promise<void>
}

interface BeaconWatchPorts extends Pick<BeaconWork, 'proxies'> {
  readonly gateway: Pick<Gateway, 'sign'>
  /** What keeps it from newer signatures has changed. */
  readonly onFaults: (faults: readonly string[]) => void
  readonly everyMs?: number
}

interface Watched {
  readonly chainId: number
  readonly settings: string
  readonly worker: Worker
  finality: SignedFinality
}

const stands = 'no beacon API has shown a newer signed block for an hour'

export function createBeaconWatch({
  gateway,
  proxies,
  onFaults,
  everyMs = 60_000,
}: BeaconWatchPorts): BeaconWatch {
  let watched: Watched | null = null

  function start(chainId: number, beacon: BeaconSettings): void {
    const workerData: BeaconWork = { ...beacon, proxies, everyMs }
    const worker = new Worker(new URL('./beacon-worker.ts', import.meta.url), { workerData, env: {} })
    const nothing: SignedFinality = { block: null, timeMs: null, faults: [] }
    const started: Watched = { chainId, settings: JSON.stringify(beacon), worker, finality: nothing }
    watched = started
    worker.unref()
    worker.on('message', (finality: SignedFinality) => take(started, finality))
    // What was signed stays signed.
    worker.on('error', () =>
      take(started, {
        ...started.finality,
        faults: ['the light client has stopped; restart the gateway to start it again'],
      }),
    )
    gateway.sign(chainId, started.finality)
  }

  function take(from: Watched, { timeMs, ...sent }: SignedFinality): void {
    if (from !== watched) return
    const isOld = timeMs !== null && Date.now() - timeMs > signedAgeMsMax
    const finality = { ...sent, timeMs, faults: isOld ? [...sent.faults, stands] : sent.faults }
    const isNew = JSON.stringify(from.finality.faults) !== JSON.stringify(finality.faults)
    from.finality = finality
    gateway.sign(from.chainId, finality)
    if (isNew) onFaults(finality.faults)
  }

  async function stop(): Promise<void> {
    const before = watched
    watched = null
    await before?.worker.terminate()
  }

  return {
    apply({ chains }) {
      const chain = chains.find(({ beacon }) => beacon !== null)
      if (chain?.beacon == null) return void stop()
      // A reload replaces the gateway's chain, and with it what was signed.
      if (watched !== null && watched.settings === JSON.stringify(chain.beacon))
        return gateway.sign(chain.id, watched.finality)
      void stop()
      start(chain.id, chain.beacon)
    },
    stop,
  }
}
