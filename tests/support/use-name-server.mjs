import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'

/** Loaded before a host by `--import`: its look-ups ask the name server of the test. */
class Resolver extends dns.promises.Resolver {
  /** @param {import('node:dns').ResolverOptions} options */
  constructor(options) {
    super(options)
    this.setServers([String(process.env.NAME_SERVER)])
  }
}
Object.assign(dns.promises, { Resolver })
syncBuiltinESMExports()
