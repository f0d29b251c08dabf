import { z } from 'zod'
import { site } from '#site'
import { parseJson } from '../parse-json.ts'
import { processWide } from '../process-wide.ts'
import { isApp } from './origin.ts'
import { parseRedisUrl } from './redis-url.ts'

z.config({ jitless: true })

/** Error messages name the expected form and never the value, which may be a secret. */
const must = (words: string) => ({ error: `must be ${words}` })
const flag = z
  .enum(['0', '1', 'true', 'false'], must('0 or 1'))
  .transform((text) => text === '1' || text === 'true')
const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, must(`an integer in [${min}, ${max}]`))
    .transform(Number)
    .refine((value) => value >= min && value <= max, must(`an integer in [${min}, ${max}]`))
const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
const webUrl = z
  .string()
  .refine(isWeb, must('an http or https url'))
  .transform((text) => text.replace(/\/+$/, ''))
const isOrigin = (text: string) =>
  isWeb(text) && !text.includes('*') && new URL(text).origin === text.replace(/\/$/, '').toLowerCase()
const origin = z
  .string()
  .refine(isOrigin, must('an origin such as https://app.example'))
  .transform((text) => new URL(text).origin)
const allowedOrigin = z
  .string()
  .refine(
    (text) => text === '*' || isApp(text) || isOrigin(text),
    must('origins of sites, apps or extensions, or *'),
  )
  .transform((text) => (isWeb(text) ? new URL(text).origin : text.toLowerCase()))
const secret = (lengthMin: number) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/, must('printable ASCII without spaces'))
    .min(lengthMin, must(`at least ${lengthMin} characters`))
const json = z.string().transform((text, context) => {
  const value = parseJson(text)
  if (value === undefined) context.addIssue({ code: 'custom', message: 'must be JSON' })
  return value
})

/** Every variable that is read at run time. Unset and empty are the same. */
const variables = z.object({
  PORT: integer(0, 65_535).default(3000),
  // An IPv6 address may be written as in a url.
  HOST: z
    .string()
    .max(253)
    .transform((host) => host.replace(/^\[(.*)\]$/, '$1'))
    .default('127.0.0.1'),
  // Longer than load balancers keep them (Google 600 s, Azure 240 s), which would send a request on a connection that is being closed.
  KEEP_ALIVE_MS: integer(1000, 3_600_000).default(620_000),
  DEMO: flag.default(false),
  DEMO_CONTROL_URL: webUrl.optional(),
  APP_ORIGIN: origin.optional(),
  APP_NAME: z
    .string()
    .regex(/^[^\p{Cc}]{1,64}$/u, must('1 to 64 characters'))
    .default(site.name),
  WALLETCONNECT_PROJECT_ID: z
    .string()
    .regex(/^[0-9a-zA-Z]{1,64}$/, must('a WalletConnect project id'))
    .optional(),
  SESSION_SECRET: secret(32).optional(),
  OPERATOR_TOKEN: secret(16).optional(),
  SECURITY_CONTACT: z
    .string()
    .max(512)
    .regex(/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, must('a mailto: or https: address'))
    .optional(),
  OPERATOR_OPEN: flag.default(false),
  SIGNING_KEY: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, must('32 bytes in hex'))
    .transform((text) => text.toLowerCase())
    .optional(),
  PUBLIC_EVIDENCE: flag.default(true),
  RPC_CONFIG: json.optional(),
  RPC_CONFIG_FILE: z.string().max(4096).optional(),
  RPC_ALLOWED_ORIGINS: z
    .string()
    .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
    .pipe(z.array(allowedOrigin).max(100))
    .default([]),
  GATEWAY_URL: webUrl.optional(),
  REPLICA: z
    .string()
    .regex(/^[\w.:-]{1,253}$/, must('a name of letters, digits and . : _ -'))
    .optional(),
  KEPT_BUILDS_DIR: z.string().max(4096).optional(),
  REDIS_URL: z
    .string()
    .refine((text) => parseRedisUrl(text) !== null, must('a url as redis://, rediss:// or redis+sentinel://'))
    .optional(),
  HTTP_PROXY: webUrl.optional(),
  HTTPS_PROXY: webUrl.optional(),
  NO_PROXY: z.string().max(8192).optional(),
  http_proxy: webUrl.optional(),
  https_proxy: webUrl.optional(),
  no_proxy: z.string().max(8192).optional(),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      must('trace, debug, info, warn, error, fatal or silent'),
    )
    .default('info'),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().max(8192).optional(),
  OTEL_SERVICE_NAME: z.string().max(255).default('quorate'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .regex(/^(0(\.\d+)?|1(\.0+)?)$/, must('a number in [0, 1]'))
    .transform(Number)
    .default(1),
})

export type Env = Readonly<z.output<typeof variables>>

/** An invalid environment. Every fault names its variable, never the value. */
export class EnvError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`environment refused:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
    this.name = 'EnvError'
    this.faults = faults
  }
}

export type Source = Readonly<Record<string, string | undefined>>
export type Secrets = Readonly<Record<string, string>>

/** What the Node host also reads from a file, named by `NAME_FILE`: such a file wins over the variable. */
export const secretVariables = [
  'SESSION_SECRET',
  'OPERATOR_TOKEN',
  'SIGNING_KEY',
  'REDIS_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'HTTP_PROXY',
  'HTTPS_PROXY',
] as const

/** Parses an environment and fills in the defaults. Throws EnvError with all faults. */
export function parseEnv(source: Source): Env {
  const set = Object.fromEntries(
    Object.keys(variables.shape)
      .map((name) => [name, source[name]?.trim()] as const)
      .filter(([, text]) => text !== undefined && text !== ''),
  )
  const parsed = variables.safeParse(set)
  const faults = parsed.success ? crossFaults(parsed.data) : parsed.error.issues.map(sentence)
  if (!parsed.success || faults.length > 0) throw new EnvError(faults)
  return parsed.data
}

/** The process's raw environment, for `${NAME}` in node URLs and headers. */
export function environment(): Source {
  return process.env
}

/** The build that bundled this code: Next replaces the expression by a constant. */
export const buildId = process.env.BUILD_ID ?? ''

/** Set by server.ts, which answers the gateway's routes itself: Next must not answer them too. */
export const nodeHostVariable = 'QUORATE_NODE_HOST'

/** `next dev`. */
export function isDev(): boolean {
  return environment().NODE_ENV === 'development'
}

/** Whether server.ts is the host of this process, including its edge isolates. */
export function isNodeHost(): boolean {
  return environment()[nodeHostVariable] === '1'
}

/** How often secrets were taken over: every copy of this module then parses the environment again. */
const changes = processWide('env-changes', 0)
let parsed: { readonly change: number; readonly env: Env } | undefined

/** The process's environment, parsed once and after each change of its secrets; throws EnvError. */
export function env(): Env {
  if (parsed?.change !== changes.value) parsed = { change: changes.value, env: parseEnv(environment()) }
  return parsed.env
}

/** Takes secrets that were read from files into the environment. Throws EnvError, and then takes none. */
export function takeSecrets(secrets: Secrets): Env {
  parseEnv({ ...environment(), ...secrets })
  Object.assign(process.env, secrets)
  changes.value += 1
  return env()
}

function crossFaults(env: Env): string[] {
  return [
    ...(env.RPC_CONFIG !== undefined && env.RPC_CONFIG_FILE !== undefined
      ? ['RPC_CONFIG and RPC_CONFIG_FILE are both set; give one']
      : []),
    ...(env.REDIS_URL !== undefined && env.SESSION_SECRET === undefined
      ? ['REDIS_URL needs SESSION_SECRET: processes that share sessions must seal cookies alike']
      : []),
    ...(env.DEMO_CONTROL_URL !== undefined && !env.DEMO ? ['DEMO_CONTROL_URL needs DEMO=1'] : []),
  ]
}

function sentence(issue: z.core.$ZodIssue): string {
  return `${String(issue.path[0])} ${issue.message}`
}
