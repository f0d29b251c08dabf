import defaults from '#config'
import { type Config, parseConfig } from '#rpc-proxy'
import { type Env, environment } from './env.ts'

/** The configuration that this process starts with: RPC_CONFIG, else the defaults of the repository; throws ConfigError. */
export function initialConfig(env: Env): Config {
  return parseConfig(env.RPC_CONFIG ?? defaults, environment())
}
