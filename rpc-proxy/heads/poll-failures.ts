import type { NodeIndex } from '../runtime/indexes.ts'

/** Which nodes have failed in a poll, or were silent past their stall, and have not replied since. */
export interface PollFailures {
  /** Notes it of a node that has replied neither with a header nor with having none since then, epoch milliseconds. */
  readonly note: (node: NodeIndex, sinceMs: number) => void
  readonly isFailing: (node: NodeIndex) => boolean
}

/** `repliedMs`: when each node last replied with a header, or with having none. */
export function createPollFailures(
  now: () => number,
  repliedMs: ReadonlyMap<NodeIndex, number>,
): PollFailures {
  const failedMs = new Map<NodeIndex, number>()
  const lastReplyMs = (node: NodeIndex) => repliedMs.get(node) ?? Number.NEGATIVE_INFINITY
  return {
    note(node, sinceMs) {
      if (lastReplyMs(node) < sinceMs) failedMs.set(node, now())
    },
    isFailing: (node) => lastReplyMs(node) < (failedMs.get(node) ?? Number.NEGATIVE_INFINITY),
  }
}
