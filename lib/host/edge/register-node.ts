import { setGlobalDispatcher } from 'undici'
import { isDev } from '../../config/env.ts'
import { checkedStart } from '../../config/start-config.ts'
import { learnChains } from '../../engine/chain-facts.ts'
import { runningEngine } from '../../engine/engine.ts'
import { createPlainLog, logPagesTo } from '../../observe/log-plain.ts'
import { createRedactor } from '../../observe/redact.ts'
import { logRisks } from '../../observe/risk-lines.ts'
import { startPageTracing } from '../../observe/start-pages.ts'
import { createFetchDispatcher } from '../../transport/fetch-dispatcher.ts'
import { proxiesOf } from '../../transport/outbound-proxy.ts'
import { endAfterLastAnswer, quietAborted, refuseUnreadable, refuseUpgrades } from './next-start.ts'

/** Prepares Next's Node runtime before its first request: validates the settings, loads chain names, starts page tracing. */
export async function registerNode(): Promise<void> {
  const { env, config } = checkedStart(null, (faults) => {
    // biome-ignore lint/suspicious/noConsole: there is no log yet, and the process exits.
    console.error(faults)
    process.exit(1)
  })
  const engine = runningEngine()
  if (engine === null && env.RPC_CONFIG_FILE !== undefined) {
    // biome-ignore lint/suspicious/noConsole: as above.
    console.error('RPC_CONFIG_FILE is read by the Node host alone (npm start); give RPC_CONFIG to this one')
    process.exit(1)
  }
  // `next dev` uses a web socket for hot reload.
  if (!isDev()) refuseUpgrades()
  if (engine === null) {
    quietAborted()
    refuseUnreadable()
    endAfterLastAnswer()
    const log = createPlainLog(env.LOG_LEVEL, createRedactor(env, config))
    logPagesTo(log)
    if (!env.DEMO) logRisks(config, log)
  }
  // Every `fetch` connects as the Node host does to nodes: those of pages, and the edge host's to its nodes.
  setGlobalDispatcher(createFetchDispatcher({ proxies: proxiesOf(env) }))
  await learnChains(engine?.config() ?? config)
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined)
    await startPageTracing(env, env.OTEL_EXPORTER_OTLP_ENDPOINT, config)
}
