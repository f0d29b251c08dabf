/**
 * Limits of one caller, and of all together, on this process. The limits on calls are in the configuration. How often each is met
 * is counted under its name here in `quorate_limits_met_total`.
 */
export const hostLimits = {
  /**
   * Bytes of request bodies being received: content-length, or the largest allowed body without it. Above its own limit a caller
   * gets 429; above that of all, the oldest body is abandoned.
   */
  openBodies: { perCallerMax: 16 << 20, max: 256 << 20 },
  /** Bytes of answers being sent. Above its own limit a caller gets 503; above that of all, the oldest answer is cut. */
  outgoing: { perCallerMax: 64 << 20, max: 256 << 20 },
  /** Pages being rendered or sent. Above its own limit a caller gets 503; above that of all, the oldest page is cut. */
  openPages: { perCallerMax: 64, max: 1024 },
  /** Connections per caller, where no proxy is trusted. Further ones are closed. */
  connections: { perCallerMax: 1024, max: Number.POSITIVE_INFINITY },
  /** WebSockets. Above its own limit a caller gets 429, above that of all 503. */
  sockets: { perCallerMax: 256, max: 10_000 },
  /** Concurrent renders, and requests queued for one. 503 when the queue is full or the wait is too long. */
  renders: { max: 4, waitingMax: 64, waitingPerCallerMax: 32, waitMsMax: 2_000 },
} as const

/** Limits of one WebSocket. A chain's `limits` hold for its messages as for requests. */
export const socketLimits = {
  /** The cost of an upgrade in its caller's budget. */
  upgradeCost: 1,
  /** A longer frame closes the socket with 1009. */
  frameBytesMax: 1 << 20,
  /** More than this in a second closes it with 1008. */
  messagesPerSecondMax: 1000,
  bytesPerSecondMax: 4 << 20,
  /** Where more than this has not been read when the next message is to go out, it is closed with 1013. */
  waitingBytesMax: 16 << 20,
  /** Of all sockets together: those with the most unread are closed. */
  waitingBytesAllMax: 256 << 20,
  /** A socket that has answered nothing when the next ping is due is ended. */
  pingEveryMs: 30_000,
  /** The other side may take this long to answer a close. */
  closeMsMax: 10_000,
} as const

/** An open body counts at least this much, because its connection and parser need memory too. 256 small ones fit a caller's share. */
export const openBodyBytesMin = 64 << 10

/** Smaller answers fit into the kernel's send buffer and are not counted. */
export const shortAnswerBytes = 16 << 10

/** The slowest allowed reader: each part of this size must be sent within this time. 10 kB a second. */
export const outgoingFloor = { bytes: 100_000, ms: 10_000 } as const

/** A render that takes longer is waiting for nodes, not for the CPU, and frees its place in the queue. */
export const renderMsMax = 500

/** The cost of a page in its visitor's budget, in addition to its reads. As much as eth_getLogs. */
export const pageCost = 10

/** The cost of a public certificate in its reader's budget: it hashes what nodes sent. */
export const evidenceCost = 5

/** Those without an amount here. */
export const otherLimits = [
  'slowReaders',
  'socketMessages',
  'subscriptions',
  'pageBudget',
  'evidenceBudget',
] as const

export type HostLimit = keyof typeof hostLimits | (typeof otherLimits)[number]

/** Metrics of these limits. */
export interface LimitCounts {
  readonly met: (limit: HostLimit) => void
  /** Registers a gauge of what is held under a limit. */
  readonly watch: (limit: HostLimit, used: () => number) => void
}
