/**
 * The name under which a caller's budget is kept: the IPv4 address, or the /64 of an IPv6 address, since one subscriber
 * has all of it. An IPv4 address in IPv6 clothes is the same caller; whatever is no address shares one name.
 */
export function callerKey(address: string): string {
  const bare = bareAddress(address)
  const v4 = readV4(bare)
  if (v4 !== null) return v4
  const groups = readV6(bare)
  if (groups === null) return 'unknown'
  const [a = 0, b = 0, c = 0, d = 0, e, f, high = 0, low = 0] = groups
  if (a + b + c + d + (e ?? 0) === 0 && f === 0xffff)
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${[a, b, c, d].map((group) => group.toString(16)).join(':')}::/64`
}

/** The /48 of a /64: one site may have all of it, with 65,536 names of callers in it. Null where there is none. */
export function networkKey(key: string): string | null {
  return key.endsWith('::/64') ? `${key.slice(0, key.lastIndexOf(':', key.length - 6))}::/48` : null
}

/** Keys are remembered for so many addresses: taking an IPv6 address apart costs more than all the rest of an admission. */
const addressesMax = 10_000

/** `callerKey` with a memory. */
export function createCallerKeys(): (address: string) => string {
  const keys = new Map<string, string>()
  return (address) => {
    const known = keys.get(address)
    if (known !== undefined) return known
    const key = callerKey(address)
    if (keys.size >= addressesMax) keys.clear()
    if (address.length <= addressCharsMax) keys.set(address, key)
    return key
  }
}

/** No address is longer, with brackets, zone and port. */
export const addressCharsMax = 64

/** Without port, brackets and zone: `[fe80::1%eth0]:443` is `fe80::1`. */
function bareAddress(text: string): string {
  if (text.length > addressCharsMax) return ''
  const trimmed = text.trim()
  const inBrackets = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed)?.[1]
  const address = inBrackets ?? trimmed.replace(/^([0-9.]+):\d{1,5}$/, '$1')
  return address.replace(/%.*$/, '')
}

function readV4(text: string): string | null {
  const bytes = text.split('.')
  // A leading zero is octal to some readers: such an address is nobody's.
  return bytes.length === 4 && bytes.every((byte) => /^(?:0|[1-9]\d{0,2})$/.test(byte) && Number(byte) < 256)
    ? text
    : null
}

/** The eight groups of an IPv6 address, or null. */
function readV6(text: string): readonly number[] | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = halves.map(readGroups)
  if (head === null || head === undefined || tail === null) return null
  if (tail === undefined) return head.length === 8 ? head : null
  const gap = 8 - head.length - tail.length
  return gap < 1 ? null : [...head, ...new Array<number>(gap).fill(0), ...tail]
}

/** Groups between colons; the last one may be an IPv4 address, which is two. */
function readGroups(text: string): readonly number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const v4 = readV4(parts.at(-1) ?? '')
  const [a = 0, b = 0, c = 0, d = 0] = (v4 ?? '').split('.').map(Number)
  const hex = v4 === null ? parts : parts.slice(0, -1)
  if (!hex.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return null
  const groups = hex.map((group) => Number.parseInt(group, 16))
  return v4 === null ? groups : [...groups, (a << 8) | b, (c << 8) | d]
}
