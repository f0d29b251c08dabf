import tls from 'node:tls'
import { getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { createFetchDispatcher } from '#lib/transport/fetch-dispatcher.ts'
import { createFetchSend } from '#lib/transport/send-fetch.ts'
import { UndiciNetwork } from '#lib/transport/send-undici.ts'
import { type Send, SendFault, type SendRequest } from '#rpc-proxy'

type CreateSend = (options: Parameters<typeof createFetchDispatcher>[0]) => Send

/** How each host sends to nodes, until the end of the test. */
export const hosts: readonly (readonly ['the Node host' | 'the edge host', CreateSend])[] = [
  [
    'the Node host',
    (options) => {
      const { send, close } = new UndiciNetwork(options)
      onTestFinished(close)
      return send
    },
  ],
  [
    'the edge host',
    (options) => {
      const [before, dispatcher] = [getGlobalDispatcher(), createFetchDispatcher(options)]
      setGlobalDispatcher(dispatcher)
      onTestFinished(async () => {
        setGlobalDispatcher(before)
        await dispatcher.destroy()
      })
      return createFetchSend()
    },
  ],
]

/** A read, as the engine sends it. */
export const requestTo = (url: string, more: Partial<SendRequest> = {}): SendRequest => ({
  ...{ url, headers: {}, body: '{}', bytesMax: 1000, idempotent: true },
  ...{ signal: new AbortController().signal, ...more },
})

/** The body of the reply as text, or the kind of the fault. */
export async function post(send: Send, url: string, more?: Partial<SendRequest>): Promise<string> {
  return send(requestTo(url, more)).then(
    ({ body }) => Buffer.from(body).toString(),
    (cause: unknown) => (cause instanceof SendFault ? cause.kind : String(cause)),
  )
}

/** Trusts these certificates alone, until the last test of the file. */
export function trustForOneFile(certificates: readonly { readonly cert: string }[]): void {
  const before = tls.getCACertificates()
  beforeAll(() => tls.setDefaultCACertificates(certificates.map(({ cert }) => cert)))
  afterAll(() => tls.setDefaultCACertificates(before))
}
