import defaults from '#config'
import { type Config, parseConfig } from '#rpc-proxy'
import { type Env, environment } from './env.ts'

/** The configuration at start: RPC_CONFIG, or the repository's defaults. Throws ConfigError. */
export function initialConfig(env: Env): Config {
  return parseConfig(env.RPC_CONFIG ?? defaults, environment())
}
