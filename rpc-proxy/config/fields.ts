import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { unitPresets } from './unit-presets.ts'

// The first comment of a setting is its text in docs/configuration.md: `npm run docs`.

// The validators that zod compiles need `new Function`, which the edge runtime and a strict CSP forbid.
z.config({ jitless: true })

export const invalidUrl = 'invalid url; must be http or https, without a fragment'

export const isWeb = (url: URL) => url.protocol === 'http:' || url.protocol === 'https:'

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/
/** What the transport itself decides. */
const ownHeaders = new Set(
  'accept-encoding connection content-encoding content-length content-type expect host keep-alive te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)

const integer = (name: string, min: number, max: number) => {
  const error = `invalid ${name}; must be integer in [${min}, ${max}]`
  return z.int({ error }).min(min, { error }).max(max, { error })
}
const integerOrAuto = (name: string, min: number, max: number) => {
  const error = `invalid ${name}; must be integer in [${min}, ${max}], or "auto"`
  return z.custom<number | 'auto'>(
    (value) => value === 'auto' || (Number.isInteger(value) && Number(value) >= min && Number(value) <= max),
    { error },
  )
}
const flag = (name: string) => z.boolean({ error: `invalid ${name}; must be true or false` })
const text = (name: string, pattern: RegExp, must: string) => {
  const error = `invalid ${name}; must be ${must}`
  return z.string({ error }).regex(pattern, { error })
}
const methodName = (name: string) => text(name, /^[A-Za-z0-9]{1,32}_[A-Za-z0-9_]{1,64}$/, 'method names')
const address = (name: string) =>
  text(name, /^0x[0-9a-fA-F]{40}$/, 'addresses').transform((hex) => hex.toLowerCase())
const hash = (name: string, must: string) =>
  text(name, /^0x[0-9a-fA-F]{64}$/, must).transform((hex) => hex.toLowerCase())
const list = <Item extends z.ZodType>(name: string, item: Item, max: number) => {
  const error = `invalid ${name}; must be a list of at most ${max}`
  return z.array(item, { error }).max(max, { error })
}
const label = (name: string) =>
  text(name, /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,59}$/, '1 to 59 of A-Z, a-z, 0-9, ".", "_", "-"')
const methodPattern = (name: string) =>
  text(
    name,
    /^[A-Za-z0-9]{1,32}_(?:[A-Za-z0-9_]{1,64}|[A-Za-z0-9_]{0,64}\*)$/,
    'method names, or prefixes that end in "*"',
  )
const words = (name: string) => text(name, /^[^\p{Cc}\p{Zl}\p{Zp}]{1,59}$/u, '1 to 59 characters')
const checked = (name: string, must: string, charsMax: number, isValid: (value: string) => boolean) => {
  const error = `invalid ${name}; must be ${must}`
  return z.string({ error }).max(charsMax, { error }).refine(isValid, { error })
}
const webUrlOf = (value: string) => (URL.canParse(value) && isWeb(new URL(value)) ? new URL(value) : null)
/** A url that is shown to visitors, and so must hold no credentials. */
const printableUrl = (name: string) =>
  checked(name, 'an http or https url without user info', 2048, (value) => {
    const url = webUrlOf(value)
    return url !== null && url.username + url.password === ''
  })
const originOf = (name: string) =>
  checked(name, 'origins, such as "https://app.example"', 2048, (value) => webUrlOf(value)?.origin === value)
const addressRange = (name: string) =>
  checked(
    name,
    'addresses, or ranges such as "198.51.100.0/24"',
    64,
    (value) => ipaddr.isValidCIDR(value) || ipaddr.isValid(value),
  )
const oneOf = <const Values extends readonly [string, ...string[]]>(name: string, values: Values) => {
  const quoted = values.map((value) => `"${value}"`)
  return z.enum(values, {
    error: `invalid ${name}; must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`,
  })
}
const policyName = (name: string) => oneOf(name, ['standard', 'bridge'])
const object = <Shape extends z.core.$ZodLooseShape>(name: string, shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'invalid_type' ? `invalid ${name}; must be an object` : undefined),
  })

const invalidUnits = `invalid units; must be ${Object.keys(unitPresets)
  .map((name) => `"${name}"`)
  .join(', ')}, or units in [0, 1000000] by method and "default", at most 200`
const isPreset = (value: unknown): value is keyof typeof unitPresets =>
  typeof value === 'string' && Object.hasOwn(unitPresets, value)

const invalidHeaderName = 'invalid headers; a name is no header name, or is set by the transport'

export const nodeFields = {
  /** 1 to 59 of A-Z, a-z, 0-9, ".", "_", "-". */
  name: label('name'),
  /** http or https. `${NAME}` is read from the environment. User info becomes a header. */
  url: z.string({ error: invalidUrl }).min(1, { error: invalidUrl }).max(2048, { error: invalidUrl }),
  /** In use. */
  enabled: flag('enabled').default(true),
  /** 1 to 512. */
  weight: integer('weight', 1, 512).default(1),
  /** `voter`, or `witness`: sent calls only while a voter is missing, and in protected rounds. */
  role: oneOf('role', ['voter', 'witness']).default('voter'),
  /** Without its vote a protected round fails, and an everyday one is thin. */
  required: flag('required').default(false),
  /** Lower ones are asked first. */
  priority: integer('priority', 0, 1000).default(1),
  /** After this time another node is asked too: 750, or 2000 if `community`. */
  stallMs: integer('stallMs', 1, 60_000).optional(),
  /** Run by volunteers: a longer stall. */
  community: flag('community').default(false),
  /** Who runs it, by default its name: nodes of one operator count once. */
  operator: label('operator').optional(),
  /** Stands for several operators. */
  aggregator: flag('aggregator').default(false),
  /** Whether transactions are sent to it. */
  writes: flag('writes').default(true),
  /** Sent with every request, such as `user-agent`; `${NAME}` as in `url`. */
  headers: z
    .unknown()
    // A record leaves this key out without a word.
    .refine((headers) => !Object.hasOwn(Object(headers), '__proto__'), { error: invalidHeaderName })
    .pipe(
      z.record(
        z.string().refine((name) => headerName.test(name) && !ownHeaders.has(name.toLowerCase())),
        z
          .string({ error: 'invalid headers; values must be text' })
          .max(8192, { error: 'invalid headers; values must be at most 8192 characters' }),
        {
          error: (issue) =>
            issue.code === 'invalid_key' ? invalidHeaderName : 'invalid headers; must be an object',
        },
      ),
    )
    .refine((headers) => Object.keys(headers).length <= 32, { error: 'invalid headers; must be at most 32' })
    .default({}),
  /** Gets our `traceparent` with calls that are traced. */
  trace: flag('trace').default(false),
  /** Calls sent to it in one POST; `auto`: as many as it has shown to accept, up to 20. */
  batchCallsMax: integerOrAuto('batchCallsMax', 1, 1000).default('auto'),
  /** Requests in flight to it; head polls have four slots beside these. */
  inFlightMax: integer('inFlightMax', 1, 10_000).default(16),
  /** Requests a second. */
  perSecond: integer('perSecond', 1, 1_000_000).nullable().default(null),
  /** Requests a day. */
  perDay: integer('perDay', 1, 1_000_000_000).nullable().default(null),
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
  perMonth: integer('perMonth', 1, Number.MAX_SAFE_INTEGER).nullable().default(null),
  /** Day on which its month begins, UTC. */
  monthBegins: integer('monthBegins', 1, 31).default(1),
  /** Nodes with the same one, of any chain, share its `perMonth`. */
  plan: label('plan').nullable().default(null),
}
export const nodeSchema = object('node', nodeFields).transform((node) => ({
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

const quorumFault = 'invalid quorum; must be a finite number above 0, or null'
export const chainFields = {
  /** The chain id. */
  id: integer('id', 1, Number.MAX_SAFE_INTEGER),
  /** Weight that must agree, not rounded: by default half of all weight. */
  quorum: z.number({ error: quorumFault }).positive({ error: quorumFault }).nullable().default(null),
  /** Different operators that must agree; the shipped configuration sets 2. */
  operatorsMin: integer('operatorsMin', 1, 64).default(1),
  /** Age from which on the head is polled again: by chain, else 1000. */
  headMaxAgeMs: integer('headMaxAgeMs', 10, 600_000).optional(),
  /** Age of the head's block that makes the chain `degraded` and raises an alert: 600000; null for 1337 and 31337. */
  headLagMaxMs: integer('headLagMaxMs', 1000, 2_592_000_000).nullable().optional(),
  /** Time limit of a request. */
  deadlineMs: integer('deadlineMs', 10, 120_000).default(8000),
  /** Blocks in one `eth_getLogs`. */
  logsRangeMax: integer('logsRangeMax', 1, 1_000_000).default(10_000),
  /** What takes a protected round: `methods`, `contracts` that are called or read, or `all`; `operatorsMin` (3) operators behind it. `policy` is `standard` or `bridge`; a name alone is for all. */
  protect: z.preprocess(
    (value) => (typeof value === 'string' ? { policy: value, all: true } : value),
    object('protect', {
      policy: policyName('protect').default('standard'),
      all: flag('protect.all').default(false),
      methods: list('protect.methods', methodName('protect.methods'), 200).default([]),
      /** In lower case. */
      contracts: list('protect.contracts', address('protect.contracts'), 10_000).default([]),
      operatorsMin: integer('protect.operatorsMin', 1, 64).default(3),
    }).prefault({}),
  ),
  /** A block of its history, `{ "number", "hash" }`: what contradicts it is a fault, and a node that does is sent nothing. */
  checkpoint: object('checkpoint', {
    number: integer('checkpoint.number', 0, Number.MAX_SAFE_INTEGER),
    hash: hash('checkpoint.hash', 'the hash of a block'),
  })
    .nullable()
    .default(null),
  /** Chain 1, Node host: `{ "urls", "checkpoint", "file" }`, two or more beacon APIs, a trusted finalized root, an absolute path for what was reached. */
  beacon: object('beacon', {
    urls: list('beacon.urls', nodeFields.url, 8).min(2, {
      error: 'invalid beacon.urls; must be at least two',
    }),
    checkpoint: hash('beacon.checkpoint', 'the root of a beacon block'),
    file: text('beacon.file', /^\/.{1,1023}$/, 'an absolute path')
      .nullable()
      .default(null),
  })
    .nullable()
    .default(null),
  /** Whether state is read by a proof of one node: `auto` where one can be had, `off`, or `required`: -32010 in place of a quorum. */
  proofs: oneOf('proofs', ['auto', 'off', 'required']).default('off'),
  /** What pages and wallets show; known chains have one. */
  name: words('name').nullable().default(null),
  /** `{ "name", "symbol", "decimals" }`; known chains have one. */
  currency: object('currency', {
    name: words('currency.name'),
    symbol: words('currency.symbol'),
    decimals: integer('currency.decimals', 0, 36),
  })
    .nullable()
    .default(null),
  /** Its block explorer; known chains have one. */
  explorer: printableUrl('explorer').nullable().default(null),
  /** Offered to a wallet that adds the chain. */
  publicUrls: list('publicUrls', printableUrl('publicUrls'), 16).default([]),
  /** Its nodes; those that are not enabled are left out. */
  nodes: list('nodes', z.unknown(), 64).min(1, { error: 'invalid nodes; must be at least one' }),
}
export const chainSchema = object('chain', chainFields).transform(({ headLagMaxMs, ...chain }) => ({
  ...chain,
  headMaxAgeMs: chain.headMaxAgeMs ?? headMaxAgeMsOf[chain.id] ?? 1000,
  // Ten minutes are fifty slots of Ethereum, and more than a network or a node takes to catch up after a restart.
  headLagMaxMs: headLagMaxMs !== undefined ? headLagMaxMs : isDevChain(chain.id) ? null : 600_000,
}))

export const callerFields = {
  /** Names it in metrics and usage. */
  name: label('name'),
  /** SHA-256 of its key, as `npm run key` prints it; or `key` in its place, `${NAME}` of the environment. */
  keyHash: text('keyHash', /^[0-9a-f]{64}$/i, '64 hex digits, as `npm run key` prints them')
    .transform((hex) => hex.toLowerCase())
    .optional(),
  key: text(
    'key',
    /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/,
    'a name of the environment, in braces after a dollar sign',
  ).optional(),
  /** Units a second; by default the budget of any caller. */
  perSecond: integer('perSecond', 1, 1_000_000).nullable().default(null),
  /** Units at once: by default those of 20 s. */
  burst: integer('burst', 1, 100_000_000).nullable().default(null),
  /** Units in a UTC month. */
  perMonth: integer('perMonth', 1, Number.MAX_SAFE_INTEGER).nullable().default(null),
  /** `allow` and `deny`: methods, or prefixes such as `debug_*`. */
  methods: object('methods', {
    allow: list('methods.allow', methodPattern('methods.allow'), 200).nullable().default(null),
    deny: list('methods.deny', methodPattern('methods.deny'), 200).default([]),
  }).prefault({}),
  /** As `methods.contracts`. */
  contracts: list('contracts', address('contracts'), 10_000).nullable().default(null),
  /** Pages that may use it, and nothing else may; by default programs, and pages of allowed sites. */
  origins: list('origins', originOf('origins'), 100).nullable().default(null),
  /** Addresses, or CIDR ranges, that may use it. */
  ips: list('ips', addressRange('ips'), 100).nullable().default(null),
  /** Each of its calls is protected: true, `standard` or `bridge`. */
  protect: z
    .preprocess(
      (value) => (typeof value === 'boolean' ? (value ? 'standard' : null) : value),
      policyName('protect').nullable(),
    )
    .default(null),
}
export const callerSchema = object('caller', callerFields)

export const limitFields = {
  /** Of a request. */
  bodyBytesMax: integer('limits.bodyBytesMax', 1024, 8_388_608).default(524_288),
  /** In a batch. */
  batchCallsMax: integer('limits.batchCallsMax', 1, 1000).default(1000),
  /** Of a result. */
  answerBytesMax: integer('limits.answerBytesMax', 1024, 67_108_864).default(8_388_608),
  /** Requests in flight, a quarter of them for one caller. */
  inFlightMax: integer('limits.inFlightMax', 1, 100_000).default(1000),
}
export const rateFields = {
  /** Of a caller, a third of it at once. */
  costPerMinute: integer('rate.costPerMinute', 1, 10_000_000).default(6000),
  /** Of all callers. */
  siteCallsPerSecond: integer('rate.siteCallsPerSecond', 1, 1_000_000).nullable().default(null),
  /** Proxies in front that append to `x-forwarded-for`. */
  trustedHops: integer('rate.trustedHops', 0, 16).default(0),
}
export const methodFields = {
  /** Methods that are refused. */
  deny: list('methods.deny', methodName('methods.deny'), 200).default([]),
  /** Contracts that calls, gas estimates, logs and transactions may target; by default any. */
  contracts: list('methods.contracts', address('methods.contracts'), 10_000).nullable().default(null),
}
export const rootFields = {
  version: z.literal(1, { error: 'invalid version; must be 1' }).default(1),
  chains: list('chains', z.unknown(), 64).min(1, { error: 'invalid chains; must be at least one' }),
  limits: object('limits', limitFields).prefault({}),
  /** Null: no limit. */
  rate: object('rate', rateFields).nullable().prefault({}),
  methods: object('methods', methodFields).prefault({}),
  /** Callers with keys. */
  callers: list('callers', z.unknown(), 1000).default([]),
  /** Callers without a key: `allowed`, with the budget of `rate`, or `refused`. */
  anonymous: oneOf('anonymous', ['allowed', 'refused']).default('allowed'),
}
export const rootSchema = object('configuration', rootFields)
