/** How much of a node's monthly plan is used. Times are epoch milliseconds. */
export interface PlanSnapshot {
  readonly units: number
  readonly unitsMax: number
  /** The month of the plan. */
  readonly fromMs: number
  readonly toMs: number
  /** When it is used up at the pace of the last day, or since when it is; null where it lasts until the month is over. */
  readonly spentMs: number | null
}

/** The units of one node, or of all that share its plan, by all processes that share a store, as the host counts them by hour. */
export interface UnitCount {
  readonly add: (units: number) => void
  /** By this process, since its start. */
  readonly total: () => number
  /** Of whole hours, the one in which `fromMs` lies included. */
  readonly since: (fromMs: number) => number
  /** Changes when units of another process become known. */
  readonly version: () => number
  /** The beginning of what is known. */
  readonly knownMs: () => number
}
