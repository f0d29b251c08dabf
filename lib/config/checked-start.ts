import { type Config, ConfigError } from '#rpc-proxy'
import { type Env, EnvError, env } from './env.ts'
import { initialConfig } from './initial-config.ts'

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
