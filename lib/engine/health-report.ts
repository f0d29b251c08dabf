import type { ChainStatus, Gateway } from '#rpc-proxy'
import { type HostResponse, json } from '../http.ts'

/** Heads older than this are refreshed before the answer. */
const headAgeMsMax = 10_000
/** Health checks have short timeouts, so the refresh is limited to this time. */
const refreshMsMax = 3000

/** The route is public and free, so an answer is reused for this long. */
const answerAgeMsMax = 250

/** The public health route. Concurrent and slightly later requests share one answer. */
export function createHealth(gateway: Gateway, nowMs: () => number): () => Promise<HostResponse> {
  let answer: Promise<HostResponse> | null = null
  let endMs = 0
  return () => {
    if (answer !== null && nowMs() < endMs) return answer
    endMs = Number.POSITIVE_INFINITY
    answer = health(gateway, nowMs).finally(() => {
      endMs = nowMs() + answerAgeMsMax
    })
    return answer
  }
}

/**
 * Whether calls to each chain can be answered, without details of nodes. A chain without a recent head after a refresh is down,
 * whatever the state of its nodes, because hanging nodes are detected late. The status is 503 only when every chain is down.
 */
async function health(gateway: Gateway, nowMs: () => number): Promise<HostResponse> {
  const startMs = nowMs()
  const late = new Promise((resolve) => setTimeout(resolve, refreshMsMax))
  await Promise.race([gateway.refresh(headAgeMsMax).catch(() => {}), late])
  // A head that needed no refresh has aged as long as another chain's nodes were waited for.
  const waitedMs = nowMs() - startMs
  const chains = gateway
    .snapshot()
    .chains.map(({ chainId, status, head, headAgeMs, blockAgeMs, operatorsToLie, clockBehindMs }) => ({
      chainId,
      status: headAgeMs === null || headAgeMs - waitedMs > headAgeMsMax ? 'down' : status,
      head: head?.number ?? null,
      ageMs: headAgeMs === null ? null : Math.round(headAgeMs),
      blockAgeMs,
      clockBehindMs,
      operatorsToLie,
    }))
  const status = worst(chains.map((chain) => chain.status))
  return json(status === 'down' ? 503 : 200, { status, chains })
}

/** The chains' common status, or `degraded` when they differ. */
function worst(statuses: readonly ChainStatus[]): ChainStatus {
  const [first = 'unknown'] = statuses
  return statuses.every((status) => status === first) ? first : 'degraded'
}
