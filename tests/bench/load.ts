import autocannon from 'autocannon'

export interface Load {
  readonly url: string
  /** The body of the n-th request. */
  readonly body: (count: number) => string
  readonly connections?: number
  readonly seconds: number
}

export interface Measured {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly errors: number
}

let count = 0

/** Keeps `connections` requests in flight for some seconds. What is not a 200 counts as an error. */
export async function measure({ url, body, connections = 16, seconds }: Load): Promise<Measured> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => ({ ...request, body: body(count++) }),
      },
    ],
  })
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.errors + result.non2xx,
  }
}

/** The latencies of one request after the other, in milliseconds with their fractions, sorted. */
export async function measureAlone(
  url: string,
  body: (count: number) => string,
  requests: number,
): Promise<readonly number[]> {
  const latencies: number[] = []
  for (let index = 0; index < requests; index++) {
    const startMs = performance.now()
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body(count++),
    })
    await response.text()
    latencies.push(performance.now() - startMs)
  }
  return latencies.sort((a, b) => a - b)
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
