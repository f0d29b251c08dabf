import type { Config } from '#rpc-proxy'
import type { Env } from '../config/env.ts'
import { secretsOfRedisUrl } from '../config/redis-url.ts'

export type Redactor = ReturnType<typeof createRedactor>

/** Removes secrets from text before it is written. A last resort: no secret should get this far. */
export function createRedactor(env: Env, config: Config) {
  const secrets = new Set<string>()
  const add = (found: readonly (string | undefined)[]) => {
    for (const secret of found)
      if (secret !== undefined && secret.length >= secretLengthMin) secrets.add(secret)
  }
  const learn = ({ chains }: Config) => {
    for (const { beacon, nodes } of chains) {
      add((beacon?.urls ?? []).flatMap(secretsOfUrl))
      for (const { url, headers } of nodes)
        add([...secretsOfUrl(url), ...Object.values(headers).flatMap(secretsOfHeader)])
    }
  }
  const learnSecrets = (env: Env) => {
    const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = env
    add([env.OPERATOR_TOKEN, env.SESSION_SECRET, env.SIGNING_KEY])
    add(secretsOfRedisUrl(env.REDIS_URL ?? ''))
    add([HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy].flatMap((url) => secretsOfUrl(url ?? '')))
    const pairs = env.OTEL_EXPORTER_OTLP_HEADERS?.split(',') ?? []
    add(pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim()))
  }

  learn(config)
  learnSecrets(env)
  return {
    /** Adds the secrets of a configuration; those of earlier ones stay known. */
    learn,
    /** Adds the secrets of an environment. */
    learnSecrets,
    text(text: string): string {
      let clean = text
      for (const secret of secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, '[redacted]')
      return clean
    },
  }
}

const secretLengthMin = 4
/** Shorter path segments are words (`rpc`, `polygon`, `public`) and stay readable; keys are longer. */
const pathSecretLengthMin = 16

function secretsOfUrl(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { pathname, searchParams, search, username, password } = new URL(text)
  const parts = pathname.split('/').filter((part) => part.length >= pathSecretLengthMin)
  return [...parts, ...searchParams.values(), ...(search === '' ? [] : [search]), username, password]
}

/** The whole value, the credentials after its scheme, and user and password of Basic authorization. */
function secretsOfHeader(value: string): string[] {
  const [scheme = '', credentials] = value.split(' ')
  if (credentials === undefined) return [value]
  if (scheme.toLowerCase() !== 'basic') return [value, credentials]
  try {
    return [value, credentials, ...atob(credentials).split(':')]
  } catch {
    return [value, credentials]
  }
}
