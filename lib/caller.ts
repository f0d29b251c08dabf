/**
 * Who calls, as the trusted hops tell it.
 *
 * Each proxy appends the address that it saw, so only the entries on the right were written by our own: with N trusted
 * hops the N-th from the right is the caller, and whatever stands to the left of it is the caller's own word.
 * IPv6 is kept whole. Null where callers cannot be told apart: no trusted hop and no socket.
 */
export function callerOf(
  forwardedFor: string | null,
  socket: string | null,
  trustedHops: number,
): string | null {
  if (trustedHops === 0) return socket === null ? null : (address(socket) ?? unknown)
  const hops = (forwardedFor ?? '')
    .slice(-hopCharsMax * trustedHops)
    .split(',')
    .filter((part) => part.trim() !== '')
  // Fewer entries than hops: what is there was still appended by ours. None: the request came past our proxies.
  const entry = hops.at(-Math.min(trustedHops, hops.length)) ?? socket
  return entry === null || entry === undefined ? unknown : (address(entry) ?? unknown)
}

/** Letters for one hop, an address and all that proxies put around it: what stands further left is nobody's of ours. */
const hopCharsMax = 512

/** All who cannot be told apart, though others can, share one budget: garbage must not buy freedom from it. */
const unknown = 'unknown'

const v4 = /^(?:\d{1,3}\.){3}\d{1,3}$/
const v6 = /^[0-9a-f:]{2,39}$/

/** An address without port, brackets, zone or IPv4-in-IPv6 wrapping, in lower case; null for what is none. */
function address(text: string): string | null {
  const bare = text
    .trim()
    .slice(0, 64)
    .toLowerCase()
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1')
    .replace(/%[0-9a-z._-]{1,16}$/, '')
    .replace(/^::ffff:(?=\d{1,3}\.)/, '')
  const host = bare.replace(/^([^:]*):\d{1,5}$/, '$1')
  if (v4.test(host)) return host.split('.').every((byte) => Number(byte) <= 255) ? host : null
  return v6.test(bare) && bare.includes(':') ? bare : null
}
