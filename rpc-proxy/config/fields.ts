import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { unitPresets } from './unit-presets.ts'

// The first comment of a setting is its text in docs/configuration.md: `npm run docs`.

// The validators that zod compiles need `new Function`, which the edge runtime and a strict CSP forbid.
z.config({ jitless: true })

export const mustBeUrl = 'must be http or https, without a fragment'

export const isWeb = (url: URL) => url.protocol === 'http:' || url.protocol === 'https:'

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
/** What the transport itself decides. */
const ownHeaders = new Set(
  'accept-encoding connection content-encoding content-length content-type expect host keep-alive te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)

// A fault begins with the place of its field, which `parse-config.ts` knows.
const integer = (min: number, max: number) => {
  const error = `must be integer in [${min}, ${max}]`
  return z.int({ error }).min(min, { error }).max(max, { error })
}
const integerOrAuto = (min: number, max: number) => {
  const error = `must be integer in [${min}, ${max}], or "auto"`
  return z.custom<number | 'auto'>(
    (value) => value === 'auto' || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max),
    { error },
  )
}
const flag = z.boolean({ error: 'must be true or false' })
const text = (must: string, pattern: RegExp) => {
  const error = `must be ${must}`
  return z.string({ error }).regex(pattern, { error })
}
const checked = (must: string, charsMax: number, isValid: (value: string) => boolean) => {
  const error = `must be ${must}`
  return z.string({ error }).max(charsMax, { error }).refine(isValid, { error })
}
const list = <Item extends z.ZodType>(item: Item, max: number) => {
  const error = `must be a list of at most ${max}`
  return z.array(item, { error }).max(max, { error })
}
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) => {
  const quoted = values.map((value) => `"${value}"`)
  return z.enum(values, { error: `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}` })
}
const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined),
  })

const methodName = text('method names', /^[A-Za-z0-9]{1,32}_[A-Za-z0-9_]{1,64}$/)
const methodPattern = text(
  'method names, or prefixes that end in "*"',
  /^[A-Za-z0-9]{1,32}_(?:[A-Za-z0-9_]{1,64}|[A-Za-z0-9_]{0,64}\*)$/,
)
const address = text('addresses', /^0x[0-9a-fA-F]{40}$/).toLowerCase()
const hash = (must: string) => text(must, /^0x[0-9a-fA-F]{64}$/).toLowerCase()
const label = text('1 to 59 of A-Z, a-z, 0-9, ".", "_", "-"', /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,59}$/)
const words = text('1 to 59 characters', /^[^\p{Cc}\p{Zl}\p{Zp}]{1,59}$/u)
const webUrlOf = (value: string) => (URL.canParse(value) && isWeb(new URL(value)) ? new URL(value) : null)
/** A url that is shown to visitors, and so must hold no credentials. */
const printableUrl = checked('an http or https url without user info', 2048, (value) => {
  const url = webUrlOf(value)
  return url !== null && url.username + url.password === ''
})
const siteOrigin = checked(
  'origins, such as "https://app.example"',
  2048,
  (value) => webUrlOf(value)?.origin === value,
)
const addressRange = checked(
  'addresses, or ranges such as "198.51.100.0/24"',
  64,
  (value) => ipaddr.isValidCIDR(value) || ipaddr.isValid(value),
)
const policyName = oneOf(['standard', 'bridge'])

const presets = Object.keys(unitPresets).map((name) => `"${name}"`)
const invalidUnits = `must be ${presets.join(', ')}, or units in [0, 1000000] by method and "default", at most 200`
const isPreset = (value: unknown): value is keyof typeof unitPresets =>
  typeof value === 'string' && Object.hasOwn(unitPresets, value)

const invalidHeaderName = 'a name is no header name, or is set by the transport'

export const nodeFields = {
  /** 1 to 59 of A-Z, a-z, 0-9, ".", "_", "-". */
  name: label,
  /** http or https. `${NAME}` is read from the environment. User info becomes a header. */
  url: z.string({ error: mustBeUrl }).min(1, { error: mustBeUrl }).max(2048, { error: mustBeUrl }),
  /** In use. */
  enabled: flag.default(true),
  /** 1 to 512. */
  weight: integer(1, 512).default(1),
  /** `voter`, or `witness`: sent calls only while a voter is missing, and in protected rounds. */
  role: oneOf(['voter', 'witness']).default('voter'),
  /** Without its vote a protected round fails, and an everyday one is thin. */
  required: flag.default(false),
  /** Lower ones are asked first. */
  priority: integer(0, 1000).default(1),
  /** After this time another node is asked too: 750, or 2000 if `community`. */
  stallMs: integer(1, 60_000).optional(),
  /** Run by volunteers: a longer stall. */
  community: flag.default(false),
  /** Who runs it, by default its name: nodes of one operator count once. */
  operator: label.optional(),
  /** Stands for several operators. */
  aggregator: flag.default(false),
  /** Whether transactions are sent to it. */
  writes: flag.default(true),
  /** Sent with every request, such as `user-agent`; `${NAME}` as in `url`. */
  headers: z
    .unknown()
    // A record leaves this key out without a word.
    .refine((headers) => !Object.hasOwn(Object(headers), '__proto__'), { error: invalidHeaderName })
    .pipe(
      z.record(
        z.string().refine((name) => headerName.test(name) && !ownHeaders.has(name.toLowerCase())),
        z
          .string({ error: 'values must be text' })
          .max(8192, { error: 'values must be at most 8192 characters' }),
        {
          error: (issue) => (issue.code === 'invalid_key' ? invalidHeaderName : 'must be an object'),
        },
      ),
    )
    .refine((headers) => Object.keys(headers).length <= 32, { error: 'must be at most 32' })
    .default({}),
  /** Gets our `traceparent` with calls that are traced. */
  trace: flag.default(false),
  /** Calls sent to it in one POST; `auto`: as many as it has shown to accept, up to 20. */
  batchCallsMax: integerOrAuto(1, 1000).default('auto'),
  /** Requests in flight to it; head polls have 32 slots beside these. */
  inFlightMax: integer(1, 10_000).default(16),
  /** Requests a second. */
  perSecond: integer(1, 1_000_000).nullable().default(null),
  /** Requests a day. */
  perDay: integer(1, 1_000_000_000).nullable().default(null),
  /** What a request costs of its plan, by method, `default` for others; or `alchemy`, `ankr`, `chainstack`, `infura`, `quicknode`, as they publish it. By default 1. */
  units: z.preprocess(
    (value) => (isPreset(value) ? unitPresets[value] : value),
    z
      .record(
        z.string().regex(/^default$|^[A-Za-z0-9]{1,32}_[A-Za-z0-9_]{1,64}$/),
        z
          .number({ error: invalidUnits })
          .min(0, { error: invalidUnits })
          .max(1_000_000, { error: invalidUnits }),
        { error: invalidUnits },
      )
      .refine((units) => Object.keys(units).length <= 200, { error: invalidUnits })
      .nullable()
      .default(null),
  ),
  /** Units in a month of its plan. Asked last once they are spent, and still asked where a quorum needs it. */
  perMonth: integer(1, Number.MAX_SAFE_INTEGER).nullable().default(null),
  /** Day on which its month begins, UTC. */
  monthBegins: integer(1, 31).default(1),
  /** Nodes with the same one, of any chain, share its `perMonth`. */
  plan: label.nullable().default(null),
}
export const nodeSchema = object(nodeFields).transform((node) => ({
  ...node,
  operator: node.operator ?? node.name,
  stallMs: node.stallMs ?? (node.community ? 2000 : 750),
}))
const { name, operator, weight, role, enabled } = nodeFields
/** The part of a node that decides weights: read by itself, so that a fault elsewhere hides none of the quorum's. */
export const weightSchema = z.object({ name, operator, weight, role, enabled })

/** Blocks come faster on some chains; elsewhere a second is soon enough. */
const headMaxAgeMsOf: Readonly<Record<number, number>> = { 137: 1000, 1: 2000, 42161: 500 }

/** Development chains mine when they are told to, and are reset at will. */
export const isDevChain = (chainId: number): boolean => chainId === 1337 || chainId === 31_337

const quorumFault = 'must be a finite number above 0, or null'
export const chainFields = {
  /** The chain id. */
  id: integer(1, Number.MAX_SAFE_INTEGER),
  /** Weight that must agree, not rounded: by default half of all weight. */
  quorum: z.number({ error: quorumFault }).positive({ error: quorumFault }).nullable().default(null),
  /** Different operators that must agree; the shipped configuration sets 2. */
  operatorsMin: integer(1, 64).default(1),
  /** Age from which on the head is polled again: by chain, else 1000. */
  headMaxAgeMs: integer(10, 600_000).optional(),
  /** Age of the head's block that makes the chain `degraded` and raises an alert: 600000; null for 1337 and 31337. */
  headLagMaxMs: integer(1000, 2_592_000_000).nullable().optional(),
  /** Time limit of a request. */
  deadlineMs: integer(10, 120_000).default(8000),
  /** Blocks in one `eth_getLogs`. */
  logsRangeMax: integer(1, 1_000_000).default(10_000),
  /** What takes a protected round: `methods`, `contracts` that are called or read, or `all`; `operatorsMin` (3) operators behind it. `policy` is `standard` or `bridge`; a name alone is for all. */
  protect: z.preprocess(
    (value) => (typeof value === 'string' ? { policy: value, all: true } : value),
    object({
      policy: policyName.default('standard'),
      all: flag.default(false),
      methods: list(methodName, 200).default([]),
      /** In lower case. */
      contracts: list(address, 10_000).default([]),
      operatorsMin: integer(1, 64).default(3),
    }).prefault({}),
  ),
  /** A block of its history, `{ "number", "hash" }`: what contradicts it is a fault, and a node that does is sent nothing. */
  checkpoint: object({
    number: integer(0, Number.MAX_SAFE_INTEGER),
    hash: hash('the hash of a block'),
  })
    .nullable()
    .default(null),
  /** Chain 1, Node host: `{ "urls", "checkpoint", "file" }`, two or more beacon APIs, a trusted finalized root, an absolute path for what was reached. */
  beacon: object({
    urls: list(nodeFields.url, 8).min(2, {
      error: 'must be at least two',
    }),
    checkpoint: hash('the root of a beacon block'),
    file: text('an absolute path', /^\/.{1,1023}$/)
      .nullable()
      .default(null),
  })
    .nullable()
    .default(null),
  /** Whether state is read by a proof of one node: `auto` where one can be had, `off`, or `required`: -32010 in place of a quorum. */
  proofs: oneOf(['auto', 'off', 'required']).default('off'),
  /** What pages and wallets show; known chains have one. */
  name: words.nullable().default(null),
  /** `{ "name", "symbol", "decimals" }`; known chains have one. */
  currency: object({
    name: words,
    symbol: words,
    decimals: integer(0, 36),
  })
    .nullable()
    .default(null),
  /** Its block explorer; known chains have one. */
  explorer: printableUrl.nullable().default(null),
  /** Offered to a wallet that adds the chain. */
  publicUrls: list(printableUrl, 16).default([]),
  /** Its nodes; those that are not enabled are left out. */
  nodes: list(z.unknown(), 64).min(1, { error: 'must be at least one' }),
}
export const chainSchema = object(chainFields).transform(({ headLagMaxMs, ...chain }) => ({
  ...chain,
  headMaxAgeMs: chain.headMaxAgeMs ?? headMaxAgeMsOf[chain.id] ?? 1000,
  // Ten minutes are fifty slots of Ethereum, and more than a network or a node takes to catch up after a restart.
  headLagMaxMs: headLagMaxMs !== undefined ? headLagMaxMs : isDevChain(chain.id) ? null : 600_000,
}))

export const callerFields = {
  /** Names it in metrics and usage. */
  name: label,
  /** SHA-256 of its key, as `npm run key` prints it; or `key` in its place, `${NAME}` of the environment. */
  keyHash: text('64 hex digits, as `npm run key` prints them', /^[0-9a-f]{64}$/i)
    .toLowerCase()
    .optional(),
  key: text(
    'a name of the environment, in braces after a dollar sign',
    /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/,
  ).optional(),
  /** Units a second; by default the budget of any caller. */
  perSecond: integer(1, 1_000_000).nullable().default(null),
  /** Units at once: by default those of 20 s. */
  burst: integer(1, 100_000_000).nullable().default(null),
  /** Units in a UTC month. */
  perMonth: integer(1, Number.MAX_SAFE_INTEGER).nullable().default(null),
  /** `allow` and `deny`: methods, or prefixes such as `debug_*`. */
  methods: object({
    allow: list(methodPattern, 200).nullable().default(null),
    deny: list(methodPattern, 200).default([]),
  }).prefault({}),
  /** As `methods.contracts`. */
  contracts: list(address, 10_000).nullable().default(null),
  /** Pages that may use it, and nothing else may; by default programs, and pages of allowed sites. */
  origins: list(siteOrigin, 100).nullable().default(null),
  /** Addresses, or CIDR ranges, that may use it. */
  ips: list(addressRange, 100).nullable().default(null),
  /** Each of its calls is protected: true, `standard` or `bridge`. */
  protect: z
    .preprocess(
      (value) => (typeof value === 'boolean' ? (value ? 'standard' : null) : value),
      policyName.nullable(),
    )
    .default(null),
}
export const callerSchema = object(callerFields)

export const limitFields = {
  /** Of a request. */
  bodyBytesMax: integer(1024, 8_388_608).default(524_288),
  /** In a batch. */
  batchCallsMax: integer(1, 1000).default(1000),
  /** Of a result. */
  answerBytesMax: integer(1024, 67_108_864).default(8_388_608),
  /** Requests in flight, a quarter of them for one caller. */
  inFlightMax: integer(1, 100_000).default(1000),
}
export const rateFields = {
  /** Of a caller, a third of it at once. */
  costPerMinute: integer(1, 10_000_000).default(6000),
  /** Of all callers. */
  siteCallsPerSecond: integer(1, 1_000_000).nullable().default(null),
  /** Proxies in front that append to `x-forwarded-for`. */
  trustedHops: integer(0, 16).default(0),
}
export const methodFields = {
  /** Methods that are refused. */
  deny: list(methodName, 200).default([]),
  /** Contracts that calls, gas estimates, logs and transactions may target; by default any. */
  contracts: list(address, 10_000).nullable().default(null),
}
export const rootFields = {
  version: z.literal(1, { error: 'must be 1' }).default(1),
  chains: list(z.unknown(), 64).min(1, { error: 'must be at least one' }),
  limits: object(limitFields).prefault({}),
  /** Null: no limit. */
  rate: object(rateFields).nullable().prefault({}),
  methods: object(methodFields).prefault({}),
  /** Callers with keys. */
  callers: list(z.unknown(), 1000).default([]),
  /** Callers without a key: `allowed`, with the budget of `rate`, or `refused`. */
  anonymous: oneOf(['allowed', 'refused']).default('allowed'),
}
export const rootSchema = object(rootFields)
