// The first comment of a setting is its text in docs/configuration.md: `npm run docs`.

/** One endpoint. Quantities carry their unit in their name. */
export interface NodeConfig {
  /** 1 to 59 of A-Z, a-z, 0-9, ".", "_", "-". */
  readonly name: string
  /** http or https. `${NAME}` is read from the environment. User info becomes a header. */
  readonly url: string
  /** In use. */
  readonly enabled: boolean
  /** 1 to 512. */
  readonly weight: number
  /** `voter`, or `witness`: sent calls only while a voter is missing, and in protected rounds. */
  readonly role: 'voter' | 'witness'
  /** Without its vote a protected round fails, and an everyday one is thin. */
  readonly required: boolean
  /** Lower ones are asked first. */
  readonly priority: number
  /** After this time another node is asked too: 750, or 2000 if `community`. */
  readonly stallMs: number
  /** Run by volunteers: a longer stall. */
  readonly community: boolean
  /** Who runs it, by default its name: nodes of one operator count once. */
  readonly operator: string
  /** Stands for several operators. */
  readonly aggregator: boolean
  /** Whether transactions are sent to it. */
  readonly writes: boolean
  /** Sent with every request, such as `user-agent`; `${NAME}` as in `url`. */
  readonly headers: Readonly<Record<string, string>>
  /** Gets our `traceparent` with calls that are traced. */
  readonly trace: boolean
  /** Calls sent to it in one POST; `auto`: as many as it has shown to accept, up to 20. */
  readonly batchCallsMax: number | 'auto'
  /** Requests in flight to it; head polls have four slots beside these. */
  readonly inFlightMax: number
  /** Requests a second. */
  readonly perSecond: number | null
  /** Requests a day. */
  readonly perDay: number | null
  /** What a request costs of its plan, by method, `default` for others; or `alchemy`, `ankr`, `chainstack`, `infura`, `quicknode`, as they publish it. By default 1. */
  readonly units: Readonly<Record<string, number>> | null
  /** Units in a month of its plan. Asked last once they are spent, and still asked where a quorum needs it. */
  readonly perMonth: number | null
  /** Day on which its month begins, UTC. */
  readonly monthBegins: number
  /** Nodes with the same one, of any chain, share its `perMonth`. */
  readonly plan: string | null
}

export interface ChainConfig {
  /** The chain id. */
  readonly id: number
  /** Weight that must agree, not rounded: by default half of all weight. */
  readonly quorum: number
  /** Weight of all voting operators, each as its heaviest enabled voter. */
  readonly total: number
  /** Different operators that must agree; the shipped configuration sets 2. */
  readonly operatorsMin: number
  /** Age from which on the head is polled again: by chain, else 1000. */
  readonly headMaxAgeMs: number
  /** Age of the head's block that makes the chain `degraded` and raises an alert: 600000; null for 1337 and 31337. */
  readonly headLagMaxMs: number | null
  /** Time limit of a request. */
  readonly deadlineMs: number
  /** Blocks in one `eth_getLogs`. */
  readonly logsRangeMax: number
  /** What takes a protected round: `methods`, `contracts` that are called or read, or `all`; `operatorsMin` (3) operators behind it. `policy` is `standard` or `bridge`; a name alone is for all. */
  readonly protect: {
    readonly policy: 'standard' | 'bridge'
    readonly all: boolean
    readonly methods: readonly string[]
    /** In lower case. */
    readonly contracts: readonly string[]
    readonly operatorsMin: number
  }
  /** A block of its history, `{ "number", "hash" }`: what contradicts it is a fault, and a node that does is sent nothing. */
  readonly checkpoint: { readonly number: number; readonly hash: string } | null
  /** Chain 1, Node host: `{ "urls", "checkpoint", "file" }`, two or more beacon APIs, a trusted finalized root, an absolute path for what was reached. */
  readonly beacon: {
    readonly urls: readonly string[]
    readonly checkpoint: string
    readonly file: string | null
  } | null
  /** Whether state is read by a proof of one node: `auto` where one can be had, `off`, or `required`: -32010 in place of a quorum. */
  readonly proofs: 'auto' | 'off' | 'required'
  /** What pages and wallets show; known chains have one. */
  readonly name: string | null
  /** `{ "name", "symbol", "decimals" }`; known chains have one. */
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number } | null
  /** Its block explorer; known chains have one. */
  readonly explorer: string | null
  /** Offered to a wallet that adds the chain. */
  readonly publicUrls: readonly string[]
  /** Its nodes; those that are not enabled are left out. */
  readonly nodes: readonly NodeConfig[]
}

/** A caller with a key. Units are what calls cost. */
export interface CallerConfig {
  /** Names it in metrics and usage. */
  readonly name: string
  /** SHA-256 of its key, as `npm run key` prints it; or `key` in its place, `${NAME}` of the environment. */
  readonly keyHash: string
  /** Units a second; by default the budget of any caller. */
  readonly perSecond: number | null
  /** Units at once: by default those of 20 s. */
  readonly burst: number | null
  /** Units in a UTC month. */
  readonly perMonth: number | null
  /** `allow` and `deny`: methods, or prefixes such as `debug_*`. */
  readonly methods: { readonly allow: readonly string[] | null; readonly deny: readonly string[] }
  /** As `methods.contracts`. */
  readonly contracts: readonly string[] | null
  /** Pages that may use it, and nothing else may; by default programs, and pages of allowed sites. */
  readonly origins: readonly string[] | null
  /** Addresses, or CIDR ranges, that may use it. */
  readonly ips: readonly string[] | null
  /** Each of its calls is protected: true, `standard` or `bridge`. */
  readonly protect: 'standard' | 'bridge' | null
}

export interface Config {
  readonly version: 1
  readonly chains: readonly ChainConfig[]
  readonly limits: {
    /** Of a request. */
    readonly bodyBytesMax: number
    /** In a batch. */
    readonly batchCallsMax: number
    /** Of a result. */
    readonly answerBytesMax: number
    /** Requests in flight, a quarter of them for one caller. */
    readonly inFlightMax: number
  }
  /** Null: no limit. */
  readonly rate: {
    /** Of a caller, a third of it at once. */
    readonly costPerMinute: number
    /** Of all callers. */
    readonly siteCallsPerSecond: number | null
    /** Proxies in front that append to `x-forwarded-for`. */
    readonly trustedHops: number
  } | null
  readonly methods: {
    /** Methods that are refused. */
    readonly deny: readonly string[]
    /** Contracts that calls, gas estimates, logs and transactions may target; by default any. */
    readonly contracts: readonly string[] | null
  }
  /** Callers with keys. */
  readonly callers: readonly CallerConfig[]
  /** Callers without a key: `allowed`, with the budget of `rate`, or `refused`. */
  readonly anonymous: 'allowed' | 'refused'
}

/** Development chains mine when they are told to, and are reset at will. */
export const isDevChain = (chainId: number): boolean => chainId === 1337 || chainId === 31_337
