import { readFileSync } from 'node:fs'
import { type Config, ConfigError, parseConfig } from '#rpc-proxy'
import { environment } from './env.ts'
import { followFiles, readKeyFiles } from './secret-files.ts'

/**
 * Reads a configuration file. Throws ConfigError with all faults, also when the file is unreadable.
 *
 * `change` receives the file's content before it is validated.
 */
export function readConfigFile(path: string, change: (value: unknown) => unknown = (value) => value): Config {
  try {
    const value = change(JSON.parse(readFileSync(path, 'utf8')))
    return parseConfig(value, { ...environment(), ...readKeyFiles(value, environment()) })
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    // The parser's message quotes the text, which may contain a key.
    throw new ConfigError([cause instanceof SyntaxError ? `${path}: not JSON` : `${path}: cannot be read`])
  }
}

export interface ReloadOptions {
  /** Called with each valid configuration. */
  readonly take: (config: Config) => void
  readonly refuse: (faults: readonly string[]) => void
}

/** Reloads a configuration file when it changes, or when `reload` is called. An invalid file is refused. */
export function followConfigFile(
  path: string,
  { take, refuse }: ReloadOptions,
): { readonly reload: () => void; readonly stop: () => void } {
  const reload = () => {
    try {
      take(readConfigFile(path))
    } catch (cause) {
      if (!(cause instanceof ConfigError)) throw cause
      refuse(cause.faults)
    }
  }
  return { reload, stop: followFiles([path], reload).stop }
}
