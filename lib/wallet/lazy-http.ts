import type { HttpTransportConfig, Transport } from 'viem'

/** viem's http transport, whose code comes with its first request: a page that only shows an account never needs it. */
export function lazyHttp(url: string, options: HttpTransportConfig): Transport {
  return (parameters) => {
    let made: Promise<ReturnType<Transport>> | undefined
    const make = async () => (await import('./http.ts')).http(url, options)(parameters)
    const request = async (question: never) => {
      made ??= make()
      // Code that did not arrive is requested again with the next call.
      made.catch(() => {
        made = undefined
      })
      return (await made).request(question)
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
