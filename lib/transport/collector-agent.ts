import { readFileSync } from 'node:fs'
import type { AgentOptions } from 'node:https'
import { type Env, environment } from '../config/env.ts'
import { proxiesOf } from './outbound-proxy.ts'
import { socketOptions } from './socket-options.ts'

/** How Node connects to the collector: its name is looked up like every other one, and it is behind the same proxies. */
export function collectorAgent(env: Env): AgentOptions {
  const proxies = proxiesOf(env)
  return {
    keepAlive: true,
    ...socketOptions,
    ...tlsFiles(),
    // The type wants NODE_ENV, which nobody reads there.
    ...(proxies !== null && { proxyEnv: { NODE_ENV: 'production', ...proxies } }),
  }
}

/** The certificates of the OTLP specification, which the exporter reads only where it makes its own agent. */
function tlsFiles(): Pick<AgentOptions, 'ca' | 'cert' | 'key'> {
  const read = (name: string) => {
    const { [`OTEL_EXPORTER_OTLP_TRACES_${name}`]: traces, [`OTEL_EXPORTER_OTLP_${name}`]: all } =
      environment()
    const path = traces || all
    return path ? readFileSync(path) : undefined
  }
  const files = { ca: read('CERTIFICATE'), cert: read('CLIENT_CERTIFICATE'), key: read('CLIENT_KEY') }
  return Object.fromEntries(Object.entries(files).filter(([, file]) => file !== undefined))
}
