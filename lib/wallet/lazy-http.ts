import type { HttpTransportConfig, Transport } from 'viem'

/** viem's http transport, loaded with the first request: a page that only shows an account never needs it. */
export function lazyHttp(url: string, options: HttpTransportConfig): Transport {
  return (parameters) => {
    let made: Promise<ReturnType<Transport>> | undefined
    const make = async () => (await import('./http-chunk.ts')).http(url, options)(parameters)
    const request = async (readCall: never) => {
      made ??= make()
      // If loading fails, the next call tries again.
      made.catch(() => {
        made = undefined
      })
      return (await made).request(readCall)
    }
    return {
      config: {
        key: 'http',
        name: 'HTTP JSON-RPC',
        type: 'http',
        request,
        retryCount: 0,
        timeout: options.timeout,
      },
      request,
      value: { url },
    } as unknown as ReturnType<Transport>
  }
}
