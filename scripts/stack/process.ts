import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import type { Keeper } from '../../demo/keeper.ts'

export interface ProcessOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd: string
  readonly logPath: string
  /** Answers 200 when the process is ready. */
  readonly ready: string
  readonly keeper: Keeper
}

export interface Running {
  /** How it ended, whoever ended it. */
  readonly ended: Promise<string>
  readonly stop: () => Promise<unknown>
}

const readyWithinMs = 60_000

/** Starts a program and returns when it is ready; throws where its address is taken or it does not get ready. */
export async function startProcess(name: string, options: ProcessOptions): Promise<Running> {
  const { command, args, env, cwd, logPath, ready, keeper } = options
  if (await answers(ready)) throw new Error(`${name} cannot start: something answers at ${ready} already`)
  const log = openSync(logPath, 'w')
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', log, log] })
  if (child.pid !== undefined) keeper.keep(child.pid)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (cause) => resolve(cause.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  const isReady = await Promise.race([becomesReady(ready), ended.then(() => false)])
  if (isReady) return { ended, stop }
  await stop()
  throw new Error(`${name} did not become ready: ${logPath}`)
}

async function becomesReady(url: string): Promise<boolean> {
  for (const deadlineMs = Date.now() + readyWithinMs; Date.now() < deadlineMs; ) {
    if (await answers(url)) return true
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return false
}

function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    ({ status }) => status === 200,
    () => false,
  )
}
