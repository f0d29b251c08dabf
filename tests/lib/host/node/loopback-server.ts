import { once } from 'node:events'
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import type { Engine } from '#lib/engine/engine.ts'
import { createNodeServer } from '#lib/host/node/node-server.ts'
import type { HostRequest, HostResponse } from '#lib/http.ts'
import { createHostCounts, type HostCounts } from '#lib/observe/host-counts.ts'

type ServerOptions = Partial<Parameters<typeof createNodeServer>[0]> & {
  readonly answer: (request: HostRequest) => Promise<HostResponse>
  /** What the test needs of the engine. */
  readonly engineParts?: object
}

/** A server of the Node host that answers as the test says. */
export function serverThat({ answer, engineParts, ...more }: ServerOptions) {
  const made = createNodeServer({
    engine: {
      draining: () => false,
      config: () => ({ rate: null, callers: [] }),
      ...engineParts,
    } as unknown as Engine,
    routes: { answer, closeStreams: () => {}, admitSocket: () => null },
    rest: null,
    site: null,
    counts: createHostCounts(),
    keepAliveMs: 620_000,
    onForwarded: () => {},
    ...more,
  })
  const port = () => (made.server.address() as AddressInfo).port
  return { ...made, port, ask: askAt(port) }
}

export interface LoopbackRequest extends Pick<RequestOptions, 'method' | 'headers' | 'agent'> {
  readonly body?: string
}

/** Sends a request as it is, on a connection of its own, and reads the answer. */
function askAt(port: () => number) {
  return async (path: string, { body, ...options }: LoopbackRequest = {}) => {
    const asked = request({ port: port(), host: '127.0.0.1', path, agent: false, ...options }).end(body)
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const bytes = await buffer(response)
    const { statusCode: status, headers } = response
    return { status, headers, bytes, body: bytes.toString(), isReused: asked.reusedSocket }
  }
}

/** How often a limit of the host was met, and how much is held under it. What is not reported at all is an error, not 0. */
export function limitsOf(counts: HostCounts) {
  const reported = (metric: string) => (limit: string) => {
    const series = counts.series().find(({ name, labels }) => name === metric && labels.limit === limit)
    if (series === undefined) throw new Error(`${metric} of ${limit} is not reported`)
    return series.value
  }
  return { met: reported('quorate_limits_met_total'), held: reported('quorate_limit_used') }
}

/** The same, listening on loopback until the last test of the file. */
export function serverForOneFile(options: ServerOptions) {
  const made = serverThat(options)
  beforeAll(() => once(made.server.listen(0, '127.0.0.1'), 'listening'))
  afterAll(() => {
    made.server.closeAllConnections()
    made.server.close()
  })
  return made
}
