import defaults from '#config'
import { type Config, ConfigError, parseConfig } from '#rpc-proxy'
import { type Env, EnvError, env, environment } from './env.ts'

/** The validated environment and configuration. On faults, `fail` is called with all of them and must exit. */
export function checkedStart(
  readFile: ((path: string) => Config) | null,
  fail: (faults: string) => never,
): { env: Env; config: Config } {
  try {
    const parsed = env()
    const file = parsed.RPC_CONFIG_FILE
    return {
      env: parsed,
      config: file !== undefined && readFile !== null ? readFile(file) : initialConfig(parsed),
    }
  } catch (cause) {
    if (cause instanceof EnvError || cause instanceof ConfigError) return fail(cause.message)
    throw cause
  }
}

/** The configuration at start: RPC_CONFIG, or the repository's defaults. Throws ConfigError. */
export function initialConfig(env: Env): Config {
  return parseConfig(env.RPC_CONFIG ?? defaults, environment())
}
