import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Client, type Dispatcher } from 'undici'
import { type Hex, isHex } from 'viem'
import { isRecord, parseJson } from '../parse-json.ts'
import type { FetchGateways } from './universal-resolver.ts'

export interface GatewayFetchOptions {
  /** The addresses of a name, by name servers alone: what a hosts file or a search domain names is not public. */
  readonly resolve?: (hostname: string) => Promise<readonly string[]>
  /** Whether an address may be connected to. */
  readonly isPublic?: (address: string) => boolean
  /** The demo's own origin, which may be asked by http and on loopback. */
  readonly local?: string | null
}

/** The largest body of a reply. */
export const replyBytesMax = 65_536
/** The longest url, with sender and data in it. */
export const urlCharsMax = 8_192

/**
 * Fetches what a contract wants to know from outside of its chain (CCIP-read, EIP-3668). Contracts choose the urls, so these are as
 * untrusted as a caller's: https only, to a public address, which is looked up once and connected to. A request follows no redirect and
 * carries no cookie and nothing about the caller. It never goes through a proxy of the environment: a proxy would resolve the name again.
 */
export function createGatewayFetch({
  resolve = resolveByServers,
  isPublic = isPublicAddress,
  local = null,
}: GatewayFetchOptions = {}): FetchGateways {
  return async ({ urls, take, ...request }) => {
    for (const template of urls) {
      if (!take()) break
      const reply = await fetchOne(template, request).catch(() => null)
      request.signal.throwIfAborted()
      if (reply === 'final') break
      if (reply !== null) return reply
    }
    throw new Error('no gateway replied')
  }

  async function fetchOne(
    template: string,
    { sender, data, signal }: GatewayRequest,
  ): Promise<Hex | 'final' | null> {
    if (template.length > urlCharsMax) return null
    const url = new URL(template.replace('{sender}', sender.toLowerCase()).replace('{data}', data))
    if (url.href.length > urlCharsMax) return null
    const isLocal = url.origin === local
    if (!isLocal && (url.protocol !== 'https:' || url.username !== '' || url.password !== '')) return null
    const address = isLocal ? null : await publicAddressOf(url.hostname, signal)
    // Without a body in a template that has the data already: EIP-3668.
    const body = template.includes('{data}') ? null : JSON.stringify({ data, sender })
    const client = new Client(url.origin, {
      maxResponseSize: replyBytesMax,
      ...(address !== null && { connect: { lookup: pinned(address) } }),
    })
    try {
      return await read(client, { url, body, signal })
    } finally {
      client.destroy().catch(() => {})
    }
  }

  /** Throws where there is none, and where one of several is not public: the next look-up might return that one. */
  async function publicAddressOf(hostname: string, signal: AbortSignal): Promise<string> {
    const literal = hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = isIP(literal) !== 0 ? [literal] : await orAborted(resolve(hostname), signal)
    const [first] = addresses
    if (first === undefined || !addresses.every(isPublic)) throw new Error('no public address')
    return first
  }
}

type GatewayRequest = Omit<Parameters<FetchGateways>[0], 'urls' | 'take'>

/** A look-up that has this address for any name. */
function pinned(address: string): LookupFunction {
  const family = isIP(address)
  return (_, { all }, reply) => (all ? reply(null, [{ address, family }]) : reply(null, address, family))
}

/** The data of a reply; `final` where no other gateway is to be asked; null where the next one is. */
async function read(
  client: Client,
  { url, body, signal }: { readonly url: URL; readonly body: string | null; readonly signal: AbortSignal },
): Promise<Hex | 'final' | null> {
  const options: Dispatcher.RequestOptions = {
    path: url.pathname + url.search,
    method: body === null ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...(body !== null && { 'content-type': 'application/json' }) },
    body,
    signal,
  }
  const response = await client.request(options)
  // EIP-3668: a gateway that refuses the request ends the look-up, one that fails does not.
  if (response.statusCode >= 400 && response.statusCode < 500) return 'final'
  if (response.statusCode !== 200) return null
  const reply = parseJson(await response.body.text())
  return isRecord(reply) && isHex(reply.data) ? reply.data : null
}

/** IPv4 first, as for nodes: a broken IPv6 route is silent. */
async function resolveByServers(hostname: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1000, tries: 2 })
  const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  return families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
}

/** Azure's platform, at a public address that its machines alone reach. */
const platformAddresses = ['168.63.129.16']

/** Whether an address is one of the public internet: not private, link-local, of a cloud's metadata, mapped or reserved. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || platformAddresses.includes(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  // The only block of IPv6 that is given out, 2000::/3.
  return address.kind() === 'ipv4' || (address.toByteArray()[0] ?? 0) >> 5 === 1
}

function orAborted<Value>(pending: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    pending.then(resolve, reject)
  })
}
