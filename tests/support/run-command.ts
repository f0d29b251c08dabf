import { spawn } from 'node:child_process'

/** A user of this machine with a home folder. */
export interface User {
  readonly name: string
  readonly uid: number
  readonly gid: number
  readonly home: string
}

export interface CommandOptions {
  readonly cwd: string
  /** All of its environment. */
  readonly env: NodeJS.ProcessEnv
  /** Null or absent for the current one. */
  readonly user?: User | null
}

export interface Ended {
  readonly output: string
  readonly errors: string
  /** Both, as they came. */
  readonly all: string
  /** Null if it was killed. */
  readonly code: number | null
}

export type Running = ReturnType<typeof startCommand>

/** Starts a command in its own process group, which ends with this process. */
export function startCommand(
  [program = '', ...args]: readonly string[],
  { cwd, env, user = null }: CommandOptions,
) {
  const child = spawn(program, args, {
    cwd,
    env,
    ...(user && { uid: user.uid, gid: user.gid }),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  /** What it has printed so far. */
  const printed = { output: '', errors: '', all: '' }
  for (const [name, stream] of [
    ['output', child.stdout],
    ['errors', child.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
      printed.all += text
    })
  /** Signals it and its child processes. */
  const signal = (name: NodeJS.Signals) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, name)
    } catch {
      // The group has already exited.
    }
  }
  const kill = () => signal('SIGKILL')
  process.once('exit', kill)
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', ({ message }) => resolve({ ...printed, code: 127, errors: message, all: message }))
    child.once('close', (code) => {
      process.off('exit', kill)
      resolve({ code, ...printed })
    })
  })
  return { printed, ended, signal }
}

/** Runs a command until it ends, or kills it after this time. */
export async function runCommand(
  command: readonly string[],
  { msMax, ...options }: CommandOptions & { readonly msMax: number },
): Promise<Ended> {
  const { ended, signal } = startCommand(command, options)
  const timer = setTimeout(signal, msMax, 'SIGKILL')
  const end = await ended
  clearTimeout(timer)
  return end
}
