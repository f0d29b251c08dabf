import { subscribe } from 'node:diagnostics_channel'
import { Server } from 'node:http'

/**
 * Has every HTTP server of this process answer an offer of another protocol as if it had not been made. `next start` listens for
 * such offers and leaves the sockets of those that it does not know open for ever; its server is made before any code of ours runs,
 * so it is met at its first connection.
 */
export function refuseUpgrades(): void {
  subscribe('net.server.socket', (message) => {
    const { server } = (message as { readonly socket: { readonly server?: unknown } }).socket
    if (server instanceof Server) Object.assign(server, { shouldUpgradeCallback: () => false })
  })
}
