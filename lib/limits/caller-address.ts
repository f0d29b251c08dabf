/**
 * The caller's address as the trusted hops report it, as it is written: each proxy appends the one that it saw, and what is further left can
 * be forged. Null where callers cannot be told apart.
 */
export function callerOf(
  forwardedFor: string | null,
  socket: string | null,
  trustedHops: number,
): string | null {
  if (trustedHops === 0) return socket
  const hops = (forwardedFor ?? '')
    .slice(-hopCharsMax * trustedHops)
    .split(',')
    .filter((part) => part.trim() !== '')
  // Fewer entries than hops: our proxies appended them all. None: the request bypassed our proxies.
  return hops.at(-Math.min(trustedHops, hops.length))?.trim() ?? socket ?? unknown
}

/** Characters per hop, for an address and everything that proxies add to it. Anything further left is not from our proxies. */
const hopCharsMax = 512

/** One budget for all callers without an address, where others have one. */
const unknown = 'unknown'
