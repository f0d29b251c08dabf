import type { EngineEvent, Evidence, RequestRecord } from '#rpc-proxy'
import type { Line } from './line.ts'
import type { TraceId } from './trace.ts'

/** The log line for an event; null when it is not logged. */
export function lineOf(event: EngineEvent): Line | null {
  switch (event.type) {
    case 'verdict':
      return verdictLine(event.evidence)
    case 'upstream-request':
      if (event.fault === null || event.fault === 'cancelled') return null
      return event.fault === 'too-many-files'
        ? line(
            'error',
            'too-many-files',
            'this process may open no more files or connections: raise its limit',
            {
              chain: event.chainId,
            },
          )
        : line('info', 'fault', 'a node failed to answer', {
            chain: event.chainId,
            node: event.node,
            method: event.method,
            fault: event.fault,
            ms: rounded(event.durationMs),
          })
    case 'dissent':
      return line('warn', 'dissent', 'a node voted against the quorum', {
        chain: event.chainId,
        node: event.node,
        method: event.method,
        answer: event.answer,
      })
    case 'equivocation':
      return line('warn', 'equivocation', 'nodes of one operator disagree', {
        chain: event.chainId,
        operator: event.operator,
        method: event.method,
        answer: event.answer,
      })
    case 'distrust':
      return line('warn', 'distrust', 'what was kept on the word of an operator was dropped', {
        chain: event.chainId,
        operator: event.operator,
      })
    case 'node-state':
      return line(event.to === 'usable' ? 'info' : 'warn', 'node-state', `${event.from} -> ${event.to}`, {
        chain: event.chainId,
        node: event.node,
        from: event.from,
        to: event.to,
        why: event.why,
      })
    case 'reorg':
      return line('warn', 'reorg', 'the agreed chain was reorganised', {
        chain: event.chainId,
        from: event.from.number,
        from_hash: event.from.hash,
        to: event.to.number,
        to_hash: event.to.hash,
      })
    case 'head-lag':
      return line(
        event.isOld ? 'error' : 'info',
        'head-lag',
        event.isOld ? 'the block that nodes agree on is old' : 'nodes agree on a current block again',
        { chain: event.chainId, block: event.block.number, block_age_s: Math.round(event.blockAgeMs / 1000) },
      )
    case 'shed':
      return line('warn', 'shed', 'too many calls in flight', { chain: event.chainId })
    case 'rate-limited':
      return line('info', 'rate-limited', 'a rate limit was exceeded', { chain: event.chainId })
    case 'breach':
      return line('error', 'breach', 'an invariant was violated; please investigate', {
        chain: event.chainId,
        invariant: event.invariant,
        detail: event.detail,
      })
    case 'stall':
      return line('debug', 'stall', 'a node is slow to answer', { chain: event.chainId, node: event.node })
    // Not logged: heads are on the metrics page, and requests have a line of their own.
    case 'request':
    case 'head':
    case 'node-head':
      return null
  }
}

/** One line per request, also for a batch. */
export function requestLine(request: RequestRecord, trace: TraceId | null): Line {
  const { calls, chainId, status, startMs, endMs, batch } = request
  const [first] = calls
  const failed = calls.find((call) => call.code !== 0)
  return line('debug', 'request', batch ? 'batch' : (first?.method ?? 'refused'), {
    chain: chainId,
    status,
    ms: rounded(endMs - startMs),
    calls: calls.length,
    ...(first !== undefined && {
      method: first.method,
      cache: first.cache,
      answer: first.evidence?.id ?? null,
    }),
    ...(failed !== undefined && { code: failed.code }),
    ...(trace !== null && { trace_id: trace.traceId, span_id: trace.spanId }),
  })
}

function verdictLine(evidence: Evidence): Line | null {
  const { chainId, method, outcome, reason, rule, agreed, needed, total, groups, id, startMs, endMs } =
    evidence
  if (outcome === 'agreed' && groups.length < 2) return null
  return line(outcome === 'failed' ? 'warn' : 'info', outcome === 'failed' ? 'no-quorum' : 'dispute', rule, {
    chain: chainId,
    method,
    reason,
    agreed,
    needed,
    total,
    groups: groups.length,
    answer: id,
    ms: rounded(endMs - startMs),
  })
}

function line(level: Line['level'], event: string, message: string, fields: Line['fields']): Line {
  return { level, event, message, fields }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
