import { type Config, chainRisk } from '#rpc-proxy'
import type { LogWriter } from './line.ts'

/** Warns of every chain whose nodes are few enough for two operators to decide everything. */
export function logRisks({ chains }: Config, log: Pick<LogWriter, 'write'>): void {
  for (const chain of chains) {
    const message = chainRisk(chain)
    if (message !== null)
      log.write({ level: 'warn', event: 'majority-of-two', message, fields: { chain: chain.id } })
  }
}
