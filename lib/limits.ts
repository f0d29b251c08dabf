/**
 * What a caller, and all callers together, may hold of this process beside calls, whose limits are in the configuration.
 * Each limit that is met is counted under its name here, in `quorate_limits_met_total`.
 */
export const hostLimits = {
  /**
   * Bytes of bodies on their way to us, as announced, or as many as a body may have. Past its own a caller is refused with 429;
   * past those of all, the body that has been open longest is given up.
   */
  openBodies: { perCallerMax: 16 << 20, max: 256 << 20 },
  /** Bytes of answers on their way out. Past its own a caller is refused with 503; past those of all, the oldest answer is cut. */
  outgoing: { perCallerMax: 64 << 20, max: 256 << 20 },
  /** Pages that have not been read to their end. Past its own a caller is refused with 503; past those of all, the oldest is cut. */
  openPages: { perCallerMax: 64, max: 1024 },
  /** Connections, where no proxy is trusted: one past its caller's own is closed. */
  connections: { perCallerMax: 1024, max: Number.POSITIVE_INFINITY },
  /** Pages that are made at once, and that wait for it. What finds no room, or waits for too long, is refused with 503. */
  renders: { max: 4, waitingMax: 64, waitingPerCallerMax: 32, waitMsMax: 2_000 },
} as const

/** What an open body counts at least: its connection and parser are held too. 256 small ones fit a caller's share. */
export const openBodyBytesMin = 64 << 10

/** An answer up to this waits in the kernel, whether or not it is read, and is not counted. */
export const shortAnswerBytes = 16 << 10

/** Of an answer on its way out, this much must leave within this time, again and again: 10 kB a second. */
export const outgoingFloor = { bytes: 100_000, ms: 10_000 } as const

/** After so long a page that is being made waits for nodes, and takes no place from those that need the processor. */
export const renderMsMax = 500

/** What a page costs its visitor, beside its reads; as much as a read of logs. */
export const pageCost = 10

export type HostLimit = keyof typeof hostLimits | 'slowReaders' | 'pageBudget'
