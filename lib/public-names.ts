import { header } from '#rpc-proxy'

/** The prefix of our headers, metrics and cookies. The engine defines it; here it is derived from one of its headers. */
export const prefix = header.certificate.slice('x-'.length, -'-answer'.length)

/** Names the build of this site in its pages' responses and in those of our routes. */
export const buildHeader = `x-${prefix}-build`

/** The gateway's path. */
export const base = '/api/rpc'

/** The key that certificates are signed with. On the edge host Next rewrites it to the gateway's route: next.config.mjs. */
export const keysPath = `/.well-known/${prefix}.json`

/** Sign-in's path. On the edge host Next rewrites everything below it to the gateway's route: next.config.mjs. */
export const authPath = '/api/auth'

/** The operator's login and log-out. On the edge host Next rewrites it to the gateway's route: next.config.mjs. */
export const sessionPath = '/api/operator/session'

/** Look-ups of names. On the edge host Next rewrites it to the gateway's route: next.config.mjs. */
export const namesPath = '/api/names'
