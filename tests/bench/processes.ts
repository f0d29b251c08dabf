import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..', '..')
const children = new Set<ChildProcess>()

/** Starts a peer and returns its URL, which it says itself. */
export async function startPeer(file: string, args: readonly string[] = []): Promise<string> {
  const child = start(process.execPath, [join(import.meta.dirname, 'peers', file), ...args], {})
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) return line
  throw new Error(`${file} ended without an address`)
}

/** Starts a server that takes its port from PORT, and returns its URL once `ready` answers. */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: string,
): Promise<string> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = start(process.execPath, args, { ...env, PORT: String(port), HOST: '127.0.0.1' })
  while (child.exitCode === null) {
    if (await isUp(`${url}${ready}`)) return url
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${args.join(' ')} ended with ${child.exitCode}`)
}

export function stopAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'warn', NEXT_TELEMETRY_DISABLED: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

async function isUp(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).status < 500
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}
