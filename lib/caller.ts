/**
 * Who calls, as the trusted hops tell it.
 *
 * Each proxy appends the address that it saw, so only the entries on the right were written by our own: with N trusted
 * hops the N-th from the right is the caller, and whatever stands to the left of it is the caller's own word.
 * As it was written: `callerKey` reads it. Null where callers cannot be told apart: no trusted hop and no socket.
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
  // Fewer entries than hops: what is there was still appended by ours. None: the request came past our proxies.
  return hops.at(-Math.min(trustedHops, hops.length))?.trim() ?? socket ?? unknown
}

/** Characters for one hop, an address and all that proxies put around it: what stands further left was not written by ours. */
const hopCharsMax = 512

/** All who cannot be told apart, though others can, share one budget. */
const unknown = 'unknown'
