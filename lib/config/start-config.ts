import defaults from '#config'
import { type Config, ConfigError, parseConfig } from '#rpc-proxy'
import { type Env, EnvError, env, environment, type Secrets, type Source, takeSecrets } from './env.ts'

/** How a host reads files; null where it cannot. */
interface StartFiles {
  readonly configOf: (path: string) => Config
  readonly secretsOf: (source: Source) => Secrets
}

/** The validated environment and configuration. On faults, `fail` is called with all of them and must exit. */
export function checkedStart(
  files: StartFiles | null,
  fail: (faults: string) => never,
): { env: Env; config: Config } {
  try {
    const parsed = files === null ? env() : takeSecrets(files.secretsOf(environment()))
    const path = parsed.RPC_CONFIG_FILE
    return {
      env: parsed,
      config: path !== undefined && files !== null ? files.configOf(path) : initialConfig(parsed),
    }
  } catch (cause) {
    if (cause instanceof EnvError || cause instanceof ConfigError) return fail(cause.message)
    throw cause
  }
}

/** The configuration at start: RPC_CONFIG, or the repository's defaults. Throws ConfigError. */
export function initialConfig(env: Env): Config {
  return parseConfig(env.RPC_CONFIG === undefined ? defaults : env.RPC_CONFIG, environment())
}
