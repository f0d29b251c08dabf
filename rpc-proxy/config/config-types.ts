/** One endpoint. Quantities carry their unit in their name. */
export interface NodeConfig {
  readonly name: string
  /** Without user info: that travels in `headers`. */
  readonly url: string
  readonly enabled: boolean
  /** Integer 1..512. */
  readonly weight: number
  /** A witness is sent calls only when a voter is unusable or outvoted, and in protected rounds. */
  readonly role: 'voter' | 'witness'
  /** Without its vote a protected round fails, and an everyday one is thin. */
  readonly required: boolean
  readonly priority: number
  /** 750, or 2000 for a community resource. */
  readonly stallMs: number
  readonly community: boolean
  /** Who runs it; the node's own name by default. */
  readonly operator: string
  readonly aggregator: boolean
  readonly writes: boolean
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Whether calls carry our `traceparent` to it, where requests are traced. */
  readonly trace: boolean
  /** Calls in one POST; `auto`: as many as it has shown that it takes. */
  readonly batchCallsMax: number | 'auto'
  readonly inFlightMax: number
  readonly perSecond: number | null
  readonly perDay: number | null
}

export interface ChainConfig {
  readonly id: number
  /** Weight needed, not rounded: the configured one, else half of `total`. */
  readonly quorum: number
  /** Weight of all voting operators, each as its heaviest enabled voter. */
  readonly total: number
  readonly operatorsMin: number
  readonly headMaxAgeMs: number
  /** A head whose block is older by the system clock is a fault; null where blocks come at any time. */
  readonly headLagMaxMs: number | null
  readonly deadlineMs: number
  readonly logsRangeMax: number
  /** What takes a protected round: these methods, calls to these contracts (addresses in lower case). */
  readonly protect: {
    readonly methods: readonly string[]
    readonly contracts: readonly string[]
    /** Operators behind a protected result, but no more than a majority of those configured. */
    readonly operatorsMin: number
  }
  /** A block of its history: a node that shows another one at this number serves another chain. Hash in lower case. */
  readonly checkpoint: { readonly number: number; readonly hash: string } | null
  /** Where the Node host finds what the sync committee signs, from a trusted block on, by its root; for the host, not for the engine. */
  readonly beacon: {
    readonly urls: readonly string[]
    readonly checkpoint: string
    /** Keeps what was reached over a restart. */
    readonly file: string | null
  } | null
  /** Whether state is read with a proof of one node: where one can be had, never, or without a quorum in its place. */
  readonly proofs: 'auto' | 'off' | 'required'
  readonly name: string | null
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number } | null
  readonly explorer: string | null
  readonly publicUrls: readonly string[]
  /** Enabled nodes only. */
  readonly nodes: readonly NodeConfig[]
}

export interface Config {
  readonly version: 1
  readonly chains: readonly ChainConfig[]
  readonly limits: {
    readonly bodyBytesMax: number
    readonly batchCallsMax: number
    readonly answerBytesMax: number
    readonly inFlightMax: number
  }
  /** Null: no limit. */
  readonly rate: {
    readonly costPerMinute: number
    readonly siteCallsPerSecond: number | null
    readonly trustedHops: number
  } | null
  /** `contracts`: addresses in lower case that calls may target; null for any. */
  readonly methods: { readonly deny: readonly string[]; readonly contracts: readonly string[] | null }
}
