import { header } from '#rpc-proxy'

/** What every header, metric and cookie of ours begins with; the engine owns the constant and shows it in its headers. */
export const prefix = header.answer.slice('x-'.length, -'-answer'.length)

/** Where the gateway answers. */
export const base = '/api/rpc'

/** Where visitors sign in. On the edge host Next hands what is below it to the gateway's route, as it does the operator's login. */
export const authPath = '/api/auth'

/** Where the operator logs in and out. On the edge host Next hands it to the gateway's route: next.config.mjs. */
export const sessionPath = '/api/operator/session'
