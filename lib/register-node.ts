import { quietAborted } from './aborted.ts'
import { learnChains } from './chains.ts'
import { runningEngine } from './engine.ts'
import { isDev } from './env.ts'
import { startPageTracing } from './observe/start-pages.ts'
import { checkedStart } from './start.ts'
import { refuseUpgrades } from './upgrades.ts'

/** What Next's Node realm needs before its first request: checked settings, names of chains, traces of pages. */
export async function registerNode(): Promise<void> {
  const { env, config } = checkedStart(null, (faults) => {
    // biome-ignore lint/suspicious/noConsole: there is no log yet, and this is the last word.
    console.error(faults)
    process.exit(1)
  })
  const engine = runningEngine()
  if (engine === null && env.RPC_CONFIG_FILE !== undefined) {
    // biome-ignore lint/suspicious/noConsole: as above.
    console.error('RPC_CONFIG_FILE is read by the Node host alone (npm start); give RPC_CONFIG to this one')
    process.exit(1)
  }
  // `next dev` tells pages of changes over a web socket.
  if (!isDev()) refuseUpgrades()
  if (engine === null) quietAborted()
  await learnChains(engine?.config() ?? config)
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined)
    await startPageTracing(env, env.OTEL_EXPORTER_OTLP_ENDPOINT, config)
}
