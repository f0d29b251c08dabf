import type { EngineEvent } from '#rpc-proxy'

/** The kind of agreement of each method that nodes are asked. */
const agreementOf: Readonly<Record<string, string>> = {
  eth_getBalance: 'equality',
  eth_getTransactionCount: 'equality',
  eth_call: 'equality',
  eth_getCode: 'equality',
  eth_getStorageAt: 'equality',
  eth_feeHistory: 'equality',
  eth_getBlockByNumber: 'header',
  eth_getBlockByHash: 'lookup',
  eth_getBlockTransactionCountByNumber: 'lookup',
  eth_getTransactionReceipt: 'lookup',
  eth_getTransactionByHash: 'lookup',
  eth_getLogs: 'logs',
  eth_estimateGas: 'estimate',
  eth_sendRawTransaction: 'broadcast',
}

/** Counts an event for the table in sometimes.ts. */
export function noteEvent(event: EngineEvent, note: (what: string) => void): void {
  switch (event.type) {
    case 'upstream-request': {
      const met = event.outcome === 'fault' ? event.fault : event.outcome
      note(`met: ${agreementOf[event.method] ?? 'other'} ${met}`)
      return
    }
    case 'verdict':
      note(`rule: ${event.evidence.rule}`)
      return
    case 'node-state':
      note(`node: ${event.to}`)
      return
    case 'request':
    case 'node-head':
      return
    default:
      note(`event: ${event.type}`)
  }
}

export function traceEvent(event: EngineEvent, log: (line: string) => void): void {
  if (event.type === 'request' || event.type === 'node-head') return
  if (event.type !== 'verdict') {
    log(`     ${JSON.stringify(event)}`)
    return
  }
  const { method, outcome, rule, agreed, needed, total, block, groups } = event.evidence
  log(
    `     verdict on ${method} at ${block?.number}: ${outcome}, "${rule}", ${agreed}/${needed}/${total}; ${groups
      .map(({ nodes, text }) => `[${nodes.join(' ')}] ${text.slice(0, 40)}`)
      .join(', ')}`,
  )
}
