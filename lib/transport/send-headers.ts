import { clientVersion } from '#rpc-proxy'

/**
 * The headers of a request to a node, by lower-case name. The configured ones win. `user-agent` is needed because some gateways
 * answer 403 without one.
 */
export function sendHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', 'user-agent': clientVersion, ...headers }
}
