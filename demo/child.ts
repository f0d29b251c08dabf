import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Keeper } from './keeper.ts'

/** A child process of the demo: the build or the app. */
export type Child = {
  /** Resolves with the reason of its exit. */
  readonly ended: Promise<string>
  /** The last lines of its output; empty when it writes to the terminal. */
  lastOutput(): string
  /** Sends SIGTERM, then SIGKILL after a timeout. Resolves when it and its children have exited. */
  stop(): Promise<void>
}

export type ChildOptions = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Log file of its output; null for the terminal. */
  readonly logPath: string | null
  readonly keeper: Keeper
}

const stopTimeoutMs = 10_000
const lastLines = 60

/** Starts Node with these arguments in its own process group, so that signals reach its children too. */
export function startChild(args: readonly string[], { cwd, env, logPath, keeper }: ChildOptions): Child {
  if (logPath !== null) mkdirSync(dirname(logPath), { recursive: true })
  const out = logPath === null ? ('inherit' as const) : openSync(logPath, 'w')
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', out, out], detached: true })
  if (typeof out === 'number') closeSync(out)
  const { pid } = child
  if (pid !== undefined) keeper.keep(pid)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
  return {
    ended,
    lastOutput: () =>
      logPath === null
        ? ''
        : readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-lastLines).join('\n'),
    async stop() {
      await stop(child, ended)
      if (pid !== undefined) keeper.drop(pid)
    },
  }
}

async function stop(child: ChildProcess, ended: Promise<string>): Promise<void> {
  signalGroup(child, 'SIGTERM')
  const done = new AbortController()
  await Promise.race([ended, pause(stopTimeoutMs, undefined, { signal: done.signal }).catch(() => {})])
  done.abort()
  signalGroup(child, 'SIGKILL')
  await ended
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has already exited.
  }
}
