import { type CommandOptions, type Ended, startCommand } from '../support/run-command.ts'

const limitMs = 10 * 60_000

/** Runs a command with only the given environment; sends SIGINT once it has printed `until`. */
export async function run(
  command: readonly string[],
  { until, ...options }: CommandOptions & { readonly until?: string },
): Promise<Ended> {
  const { printed, ended, signal } = startCommand(command, options)
  const limit = setTimeout(signal, limitMs, 'SIGKILL')
  const look = setInterval(() => {
    if (until === undefined || !printed.all.includes(until)) return
    clearInterval(look)
    signal('SIGINT')
  }, 200)
  const end = await ended
  clearTimeout(limit)
  clearInterval(look)
  return end
}

/** The same, but throws on failure. */
export async function must(command: readonly string[], options: CommandOptions): Promise<string> {
  const { code, all } = await run(command, options)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${all}`)
  return all
}

/** npm settings for the registry of this machine. */
export function network(): Readonly<Record<string, string>> {
  const names = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file|npm_config_(registry|cafile))$/i
  const found = Object.entries(process.env).filter(([name]) => names.test(name))
  return Object.fromEntries(found.map(([name, value = '']) => [name, value]))
}
