import { readFileSync } from 'node:fs'
import type { AgentOptions } from 'node:https'
import { environment } from '../env.ts'
import { socketOptions } from './socket-options.ts'

/** How Node connects to the collector: its name is looked up like every other one. */
export function collectorAgent(): AgentOptions {
  return { keepAlive: true, ...socketOptions, ...tlsFiles() }
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
