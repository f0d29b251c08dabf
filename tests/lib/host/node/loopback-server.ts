import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'
import type { Engine } from '#lib/engine/engine.ts'
import { createNodeServer } from '#lib/host/node/node-server.ts'
import type { HostRequest, HostResponse } from '#lib/http.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'

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
  return { ...made, port: () => (made.server.address() as AddressInfo).port }
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
