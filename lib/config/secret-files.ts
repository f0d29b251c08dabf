import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import { EnvError, type Secrets, type Source, secretVariables } from './env.ts'

/** The secrets whose files the environment names: `SESSION_SECRET_FILE` is a file with the SESSION_SECRET. Throws EnvError. */
export function readSecretFiles(source: Source): Secrets {
  const secrets = readFiles(secretVariables, source)
  const missing = Object.keys(secrets).filter((name) => secrets[name] === '')
  if (missing.length > 0) throw new EnvError(missing.map((name) => `${name}_FILE is empty or cannot be read`))
  return secrets
}

/** What a configuration names as `${NAME}` and the environment gives as `NAME_FILE`. Empty, and so refused, where it cannot be read. */
export function readKeyFiles(configuration: unknown, source: Source): Secrets {
  return readFiles(keysIn(configuration), source)
}

function readFiles(names: readonly string[], source: Source): Secrets {
  return Object.fromEntries(
    names.flatMap((name) => {
      const path = pathOf(name, source)
      return path === null ? [] : [[name, read(path)]]
    }),
  )
}

/** Every file of a secret or a key. A variable such as SSL_CERT_FILE only looks like one; to watch its file costs nothing. */
export function secretPaths(source: Source): readonly string[] {
  const names = Object.keys(source).filter((name) => name.endsWith('_FILE') && name !== 'RPC_CONFIG_FILE')
  return names.flatMap((name) => pathOf(name.slice(0, -'_FILE'.length), source) ?? [])
}

/** Calls `onChange` when one of these files changes. */
export function followFiles(paths: readonly string[], onChange: () => void): { readonly stop: () => void } {
  // Polled, because a mounted Secret or ConfigMap is updated by replacing a symlink, which file notifications do not report.
  for (const path of paths)
    watchFile(path, { interval: 500, persistent: false }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino || now.size !== before.size) onChange()
    })
  return {
    stop() {
      for (const path of paths) unwatchFile(path)
    },
  }
}

const pathOf = (name: string, source: Source) => source[`${name}_FILE`]?.trim() || null

const keysIn = (configuration: unknown) =>
  [...JSON.stringify(configuration).matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name)

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
