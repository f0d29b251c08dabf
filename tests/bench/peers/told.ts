import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on a free loopback port and says which, on standard output, for the benchmark that started us. */
export function told(server: Server): void {
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}
