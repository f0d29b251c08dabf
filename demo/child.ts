import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Keeper } from './keeper.ts'

/** A program of ours that runs beside the chains: the build, the app. */
export type Child = {
  /** Fulfils with how it ended, whoever ended it. */
  readonly ended: Promise<string>
  /** The last lines it wrote; empty when it wrote to the terminal. */
  lastWords(): string
  /** Asks it to end, and makes it after a while; fulfils when it is gone, and its children with it. */
  stop(): Promise<void>
}

export type ChildOptions = {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Where its output goes; the terminal when null. */
  readonly logPath: string | null
  readonly keeper: Keeper
}

const patienceMs = 10_000
const lastLines = 60

/** Starts Node with these arguments in a process group of its own, so that stopping reaches its children too. */
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
    lastWords: () =>
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
  await Promise.race([ended, pause(patienceMs, undefined, { signal: done.signal }).catch(() => {})])
  done.abort()
  signalGroup(child, 'SIGKILL')
  await ended
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group is gone already.
  }
}
