import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { type Config, ConfigError, parseConfig } from '#rpc-proxy'
import { environment } from './env.ts'

/**
 * Reads a configuration file; throws ConfigError with every fault listed, that of an unreadable file included.
 *
 * `change` is given what the file says before it is checked.
 */
export function readConfigFile(path: string, change: (value: unknown) => unknown = (value) => value): Config {
  try {
    return parseConfig(change(JSON.parse(readFileSync(path, 'utf8'))), environment())
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    // The parser's own sentence quotes the text, and so perhaps a key.
    throw new ConfigError([cause instanceof SyntaxError ? `${path}: not JSON` : `${path}: cannot be read`])
  }
}

export interface ReloadOptions {
  /** Takes over a configuration that has no fault. */
  readonly take: (config: Config) => void
  readonly refuse: (faults: readonly string[]) => void
}

/** Reloads a configuration file whenever it changes; `reload` does so at once. A bad file is refused and the old one stays. */
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
  // Polled: a ConfigMap is swapped by moving a link, which change notifications of the file itself never tell.
  watchFile(path, { interval: 500, persistent: false }, (now, before) => {
    if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino || now.size !== before.size) reload()
  })
  return { reload, stop: () => unwatchFile(path) }
}
