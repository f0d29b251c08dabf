import type { ChainStatus, Gateway } from '#rpc-proxy'
import { type HostResponse, json } from './http.ts'

/** Heads older than this are looked at again before the answer. */
const headAgeMsMax = 10_000
/** Health checks time out soon: answers with what is known by then. */
const refreshMsMax = 3000

/** What everybody may ask, and pays nothing for, is answered from one look for so long. */
const answerAgeMsMax = 250

/** Public health, as one look for all who ask at the same time or a moment later. */
export function createHealth(gateway: Gateway, nowMs: () => number): () => Promise<HostResponse> {
  let answer: Promise<HostResponse> | null = null
  let endMs = 0
  return () => {
    if (answer !== null && nowMs() < endMs) return answer
    endMs = Number.POSITIVE_INFINITY
    answer = health(gateway).finally(() => {
      endMs = nowMs() + answerAgeMsMax
    })
    return answer
  }
}

/**
 * Public health: whether each chain can be answered, and no word on its nodes. A chain whose head stays old though it was just
 * looked at is down, whatever is known of its nodes: nodes that hang are not known as such at once. 503 only when every chain
 * is down.
 */
async function health(gateway: Gateway): Promise<HostResponse> {
  await within(refreshMsMax, gateway.refresh(headAgeMsMax))
  const chains = gateway.snapshot().chains.map(({ chainId, status, head, headAgeMs }) => ({
    chainId,
    status: headAgeMs !== null && headAgeMs > headAgeMsMax ? 'down' : status,
    head: head?.number ?? null,
    ageMs: headAgeMs === null ? null : Math.round(headAgeMs),
  }))
  const status = worst(chains.map((chain) => chain.status))
  return json(status === 'down' ? 503 : 200, { status, chains })
}

/** One word for all chains: theirs where they agree, else `degraded`, as long as one of them can be answered. */
function worst(statuses: readonly ChainStatus[]): ChainStatus {
  const [first = 'unknown'] = statuses
  return statuses.every((status) => status === first) ? first : 'degraded'
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => {}), late])
  clearTimeout(timer)
}
