import { spawn } from 'node:child_process'

/** A user of this machine with a home folder. */
export type User = {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
}

export type CommandOptions = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The user; null for the current one. */
  readonly user: User | null
  /** Sends SIGINT once the command has printed this. */
  readonly until?: string
}

export type Ended = { readonly code: number | null; readonly output: string }

const limitMs = 10 * 60_000
const running = new Set<number>()

process.on('exit', () => {
  for (const pid of running) signal(pid, 'SIGKILL')
})

/** Runs a command in its own process group, with only the given environment. */
export function run(command: readonly string[], options: CommandOptions): Promise<Ended> {
  const { cwd, env, user, until } = options
  const [program = '', ...args] = command
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { NODE_ENV: 'production', ...env } satisfies NodeJS.ProcessEnv,
      ...(user && { uid: user.uid, gid: user.gid }),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const { pid } = child
    if (pid !== undefined) running.add(pid)
    let output = ''
    let isAsked = false
    const keep = (chunk: Buffer) => {
      output += chunk
      if (until === undefined || isAsked || !output.includes(until)) return
      isAsked = true
      signal(pid, 'SIGINT')
    }
    const limit = setTimeout(() => {
      output += `\nnot over after ${limitMs / 60_000} minutes`
      signal(pid, 'SIGKILL')
    }, limitMs)
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => {
      output += error.message
    })
    child.on('close', (code) => {
      clearTimeout(limit)
      if (pid !== undefined) running.delete(pid)
      resolve({ code, output })
    })
  })
}

/** The same, but throws on failure. */
export async function must(command: readonly string[], options: CommandOptions): Promise<string> {
  const { code, output } = await run(command, options)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`)
  return output
}

/** npm settings for the registry of this machine. */
export function network(): Readonly<Record<string, string>> {
  const names = /^(https?_proxy|no_proxy|node_extra_ca_certs|ssl_cert_file|npm_config_(registry|cafile))$/i
  const found = Object.entries(process.env).filter(([name]) => names.test(name))
  return Object.fromEntries(found.map(([name, value = '']) => [name, value]))
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, name)
  } catch {
    // The group has already exited.
  }
}
