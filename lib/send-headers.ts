import { clientVersion } from '#rpc-proxy'

/**
 * The headers of a request to a node, by lower-case name; those of the configuration win. Some gateways answer 403 to a client
 * that does not name itself.
 */
export function sendHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { 'content-type': 'application/json', 'user-agent': clientVersion, ...headers }
}
