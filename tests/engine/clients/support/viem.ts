import { createPublicClient, type HttpTransportConfig, http, type PublicClient } from 'viem'
import { chain } from './site.ts'

/** A viem client that polls often enough for a test. */
export function viemAt(url: string, options: HttpTransportConfig = {}): PublicClient {
  return createPublicClient({ chain, transport: http(url, options), pollingInterval: 100 }) as PublicClient
}

/** Options for viem's transport that record its requests: the methods of each, in the order of the answers. */
export function writingDown(options: HttpTransportConfig = {}) {
  const posts: string[][] = []
  const fetchFn: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    const calls = [JSON.parse(String(init?.body))].flat() as { method: string }[]
    posts.push(calls.map(({ method }) => method))
    return response
  }
  return { posts, options: { ...options, fetchFn } }
}
