import ipaddr from 'ipaddr.js'
import QuickLRU from 'quick-lru'

/** Parsing an address costs more than all the rest of an admission. */
const keys = new QuickLRU<string, string>({ maxSize: 10_000 })

/** No address is longer, with brackets, zone and port. */
const addressCharsMax = 64

/** Whatever is no address shares one name: it must buy no freedom from the budget. */
const unknown = 'unknown'

/**
 * The name under which a caller's budget is kept: the IPv4 address, or the /64 of an IPv6 address, since one subscriber
 * has all of it. An IPv4 address that is mapped into IPv6 is the same caller. Brackets, zone and port are ignored.
 *
 * @example
 * callerKey('[2001:db8:1:2::9]:443') // '2001:db8:1:2::/64'
 */
export function callerKey(address: string): string {
  if (address.length > addressCharsMax) return unknown
  const known = keys.get(address)
  if (known !== undefined) return known
  const key = keyOf(bareOf(address))
  keys.set(address, key)
  return key
}

/**
 * The /48 of a /64: one site may have all of it, with 65,536 names of callers in it. Null for an IPv4 address.
 *
 * @example
 * networkKey(callerKey('2001:db8:1:2::9')) // '2001:db8:1::/48'
 */
export function networkKey(key: string): string | null {
  return key.endsWith('::/64') ? `${key.slice(0, key.lastIndexOf(':', key.length - 6))}::/48` : null
}

/** Whether a key is a network's, as `networkKey` makes it. */
export const isNetwork = (key: string): boolean => key.endsWith('::/48')

/** An address as `callerKey` reads it; null for what is none. */
export function parsedAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = text.length > addressCharsMax ? '' : bareOf(text)
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare)
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null
}

function keyOf(text: string): string {
  // Strict: some parsers read a leading zero as octal, so such an address is refused.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return text
  if (!ipaddr.IPv6.isValid(text)) return unknown
  const address = ipaddr.IPv6.parse(text)
  if (address.isIPv4MappedAddress()) return address.toIPv4Address().toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/** Without port, brackets and zone: `[fe80::1%eth0]:443` is `fe80::1`. */
function bareOf(text: string): string {
  const trimmed = text.trim()
  const inBrackets = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1]
  const address = inBrackets ?? trimmed.replace(/^([0-9.]+):\d{1,5}$/, '$1')
  return address.replace(/%.*$/, '')
}
