import type { EngineEvent, Evidence, RequestRecord } from '#rpc-proxy'
import type { Line } from './line.ts'
import type { TraceId } from './trace.ts'

/** The log line for an event; null when it is not logged. */
export function lineOf(event: EngineEvent): Line | null {
  // Each type with its own function: TypeScript does not see that the two belong together.
  return (lines[event.type] as (event: EngineEvent) => Line | null)(event)
}

type Lines = {
  readonly [T in EngineEvent['type']]: (event: Extract<EngineEvent, { type: T }>) => Line | null
}

const lines: Lines = {
  verdict: ({ evidence }) => verdictLine(evidence),
  'upstream-request'({ chainId: chain, node, method, fault, durationMs }) {
    if (fault === null || fault === 'cancelled') return null
    return fault === 'too-many-files'
      ? line('error', fault, 'this process may open no more files or connections: raise its limit', { chain })
      : line('info', 'fault', 'a node failed to answer', {
          chain,
          node,
          method,
          fault,
          ms: rounded(durationMs),
        })
  },
  dissent: ({ type, chainId: chain, node, method, answer }) =>
    line('warn', type, 'a node voted against the quorum', { chain, node, method, answer }),
  'dissent-judged': ({ type, chainId: chain, node, ended }) =>
    ended === 'outvoted'
      ? null
      : line('warn', type, 'a node was right against the majority', { chain, node }),
  equivocation: ({ type, chainId: chain, operator, method, answer }) =>
    line('warn', type, 'nodes of one operator disagree', { chain, operator, method, answer }),
  'proof-fault': ({ type, chainId: chain, node, method, answer }) =>
    line('warn', type, 'a proof does not follow from the agreed block', { chain, node, method, answer }),
  distrust: ({ type, chainId: chain, operator }) =>
    line('warn', type, 'what was kept on the word of an operator was dropped', { chain, operator }),
  'node-state': ({ type, chainId: chain, node, from, to, why }) =>
    line(to === 'usable' ? 'info' : 'warn', type, `${from} -> ${to}`, { chain, node, from, to, why }),
  reorg: ({ type, chainId: chain, from, to }) =>
    line('warn', type, 'the agreed chain was reorganised', {
      chain,
      from: from.number,
      from_hash: from.hash,
      to: to.number,
      to_hash: to.hash,
    }),
  'head-lag': ({ type, chainId: chain, isOld, block, blockAgeMs }) =>
    line(
      isOld ? 'error' : 'info',
      type,
      isOld ? 'the block that nodes agree on is old' : 'nodes agree on a current block again',
      { chain, block: block.number, block_age_s: Math.round(blockAgeMs / 1000) },
    ),
  'clock-behind': ({ type, chainId: chain, isBehind, block, clockBehindMs }) =>
    line(
      isBehind ? 'error' : 'info',
      type,
      isBehind ? "this machine's clock is behind the chain's" : "this machine's clock is right again",
      { chain, block: block.number, behind_s: Math.round(clockBehindMs / 1000) },
    ),
  shed: ({ type, chainId: chain }) => line('warn', type, 'too many calls in flight', { chain }),
  'rate-limited': ({ type, chainId: chain }) => line('info', type, 'a rate limit was exceeded', { chain }),
  breach: ({ type, chainId: chain, invariant, detail }) =>
    line('error', type, 'an invariant was violated; please investigate', { chain, invariant, detail }),
  stall: ({ type, chainId: chain, node }) => line('debug', type, 'a node is slow to answer', { chain, node }),
  // Not logged: heads are on the metrics page, and requests have a line of their own.
  request: () => null,
  proof: () => null,
  head: () => null,
  'node-head': () => null,
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
  // What a quorum refuses alike is the caller's matter.
  if ((outcome === 'agreed' && groups.length < 2) || reason === 'refused') return null
  const isFailed = outcome === 'failed'
  return line(isFailed ? 'warn' : 'info', isFailed ? 'no-quorum' : 'dispute', rule, {
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
