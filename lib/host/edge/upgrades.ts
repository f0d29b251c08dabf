import { subscribe } from 'node:diagnostics_channel'
import { Server } from 'node:http'

/**
 * Makes every HTTP server of this process ignore `Upgrade` and answer the request normally. `next start` listens for upgrades and
 * leaves the socket of an unknown one open for ever. Its server exists before our code runs, so it is patched at its first
 * connection.
 */
export function refuseUpgrades(): void {
  subscribe('net.server.socket', (message) => {
    const { server } = (message as { readonly socket: { readonly server?: unknown } }).socket
    if (server instanceof Server) Object.assign(server, { shouldUpgradeCallback: () => false })
  })
}
