import type { Transport } from 'viem'
import { decodeReading, encodeReadCalls, repliesOf } from './batch-readings.ts'
import type { PostReads, ReadCall, ReadCalls } from './reading.ts'
import { noteBuild } from './version.ts'

/** Request header that asks for an explanation of every reply. */
export const explain = 'x-quorate-explain'

/** Request header that asks for a protected round. */
export const protect = 'x-quorate-protect'

/** Calls of the same moment travel in one batch. */
const waitMs = 10
/** What a gateway takes in one batch, unless it is configured otherwise. */
const batchMax = 1000
const timeoutMs = 10_000

/** What `client.transport` has, beside what viem puts there. */
export interface Reads {
  /** Like `client.request`, with the evidence beside each result. */
  readonly read: ReadCalls
  /**
   * The same in a protected round: more than half of all nodes agree, witnesses included, however many cannot be reached. For
   * what precedes a signature or confirms a transaction.
   */
  readonly readProtected: ReadCalls
}

/**
 * The transport of all reads, for viem and wagmi: calls travel in batches and every reply is explained.
 *
 * @example
 * const client = createPublicClient({ chain: polygon, transport: quorate('/api/rpc/137') })
 * const [reading] = await client.transport.read([{ method: 'eth_blockNumber', params: [] }])
 */
export function quorate(url: string): Transport<'quorate', Reads & { readonly url: string }> {
  const post = batched(createPost(url, {}))
  const reader =
    (send: PostReads): ReadCalls =>
    async (calls) =>
      (await send(calls)).map(({ reply }) => decodeReading(reply))
  const value = {
    // WalletConnect's provider takes no path.
    url: absolute(url),
    read: reader(post),
    readProtected: reader(createPost(url, { [protect]: '1' })),
  }
  return () => {
    // viem's errors and retries are loaded with the first request: a page that asks by `read` never needs them.
    let loaded: ReturnType<typeof load> | undefined
    const load = async () => (await import('./viem-request.ts')).viemRequest(url, post)
    const request = async (call: never) => {
      loaded ??= load()
      // If loading fails, the next call tries again.
      loaded.catch(() => {
        loaded = undefined
      })
      return (await loaded)(call)
    }
    const config = {
      key: 'quorate',
      name: 'Quorate',
      type: 'quorate',
      request,
      retryCount: 0,
      timeout: timeoutMs,
    }
    return { config, request, value } as ReturnType<Transport<'quorate', typeof value>>
  }
}

function createPost(url: string, headers: Readonly<Record<string, string>>): PostReads {
  return async (calls) => {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [explain]: '1', ...headers },
        body: encodeReadCalls(calls),
        cache: 'no-store',
        signal: AbortSignal.timeout(timeoutMs),
      })
      // Another site's gateway has another build.
      if (url.startsWith('/')) noteBuild(response.headers)
      return repliesOf(await response.text(), calls.length).map((reply) => ({ reply, response }))
    } catch {
      return calls.map(() => ({ reply: undefined, response: null }))
    }
  }
}

function batched(post: PostReads): PostReads {
  let next: { readonly calls: ReadCall[]; readonly replies: ReturnType<PostReads> } | undefined
  const begin = () => {
    const calls: ReadCall[] = []
    const replies = new Promise<void>((resolve) => setTimeout(resolve, waitMs)).then(() => {
      if (next?.calls === calls) next = undefined
      return post(calls)
    })
    return { calls, replies }
  }
  return async (calls) => {
    if (next === undefined || next.calls.length + calls.length > batchMax) next = begin()
    const { calls: all, replies } = next
    const from = all.push(...calls) - calls.length
    return (await replies).slice(from, from + calls.length)
  }
}

/** A chain's RPC URL. `gateway` is empty for this site. */
export function gatewayPath(gateway: string, chainId: number): string {
  return `${gateway}/api/rpc/${chainId}`
}

/** A path of this site with its origin, in a browser. */
export function absolute(path: string): string {
  return path.startsWith('/') && typeof location === 'object' ? `${location.origin}${path}` : path
}
