import { runCommand } from '../support/run-command.ts'

export interface Ran {
  readonly ok: boolean
  /** Its stdout and stderr. */
  readonly text: string
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly timeoutMs?: number
}

/** Longer than any step of a run on two busy cores. */
const commandMsMax = 15 * 60_000

/** Runs a program to its end. Never throws. */
export async function attempt(
  command: string,
  args: readonly string[],
  { env = {}, cwd = process.cwd(), timeoutMs = commandMsMax }: RunOptions = {},
): Promise<Ran> {
  const options = { cwd, env: { ...process.env, ...env }, msMax: timeoutMs }
  const { code, all } = await runCommand([command, ...args], options)
  return { ok: code === 0, text: all.trim() }
}

/** Runs a program to its end and returns its output. Throws its last lines if it fails. */
export async function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { ok, text } = await attempt(command, args, options)
  if (!ok) throw new Error(`${command} ${args.slice(0, 4).join(' ')} failed:\n${lastLines(text)}`)
  return text
}

export function lastLines(text: string): string {
  return text.split('\n').slice(-15).join('\n')
}

/** Far longer than what is awaited takes on any machine. */
const awaitedMsMax = 5 * 60_000

/** Polls until the result is not null, or throws with a description of what was awaited. */
export async function awaited<T>(what: string, look: () => Promise<T | null>, everyMs = 250): Promise<T> {
  let last = ''
  for (const deadlineMs = Date.now() + awaitedMsMax; Date.now() < deadlineMs; ) {
    const found = await look().catch((cause: Error) => {
      last = `: ${cause.message}`
      return null
    })
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
  throw new Error(`${what}: not within ${awaitedMsMax / 1000} s${last}`)
}
