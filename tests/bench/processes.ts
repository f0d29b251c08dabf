import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../demo/ports.ts'

const root = join(import.meta.dirname, '..', '..')
const children = new Set<ChildProcess>()
const allocations = new Map<string, { readonly bytes: number; readonly heapMb: number }>()
const pids = new Map<string, number | undefined>()
/** Of `/proc`, on every Linux that Node runs on. */
const tickUs = 10_000

/** Starts a peer and returns its URL, which it says itself. */
export async function startPeer(file: string, args: readonly string[] = []): Promise<string> {
  const child = start(process.execPath, ['--trace-gc', join(import.meta.dirname, 'peers', file), ...args], {})
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (!line.startsWith('http')) continue
    pids.set(line, child.pid)
    countAllocations(line, child)
    return line
  }
  throw new Error(`${file} ended without an address`)
}

/** Starts a server that takes its port from PORT, and returns its URL once `ready` answers. */
export async function startServer(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  ready: string,
  { cwd = root }: { readonly cwd?: string } = {},
): Promise<string> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = start(process.execPath, args, { ...env, PORT: String(port), HOST: '127.0.0.1' }, cwd)
  countAllocations(url, child)
  pids.set(url, child.pid)
  while (child.exitCode === null) {
    const response = await fetch(`${url}${ready}`).catch(() => null)
    if (response !== null && response.status < 500) return url
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${args.join(' ')} ended with ${child.exitCode}`)
}

/** Microseconds of processor time that the server of this URL has used so far; NaN where the system does not say. */
export function processorUs(url: string): number {
  const stat = readProcess(url, 'stat')
  // The name before the bracket may hold blanks; behind it come the fields from the third on.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickUs
}

/** MiB of this server in memory; NaN where the system does not say. */
export function residentMb(url: string): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readProcess(url, 'status'))?.[1]) / 1024
}

/** What the system says of the server of this URL; empty where it says nothing. */
function readProcess(url: string, file: 'stat' | 'status'): string {
  const path = `/proc/${pids.get(new URL(url).origin)}/${file}`
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** Bytes that the server of this URL has allocated, up to its last collection; it must run with `--trace-gc`. */
export function allocatedBytes(url: string): number {
  return allocations.get(new URL(url).origin)?.bytes ?? Number.NaN
}

/** The heap grew by the difference between the end of one collection and the begin of the next. */
function countAllocations(url: string, { stdout }: ChildProcess): void {
  const lines = createInterface({ input: stdout as NodeJS.ReadableStream })
  lines.on('line', (line) => {
    const [, before, after] = / ([\d.]+) \([\d.]+\) -> ([\d.]+) \(/.exec(line) ?? []
    if (before === undefined) return
    const { bytes, heapMb } = allocations.get(url) ?? { bytes: 0, heapMb: Number(before) }
    allocations.set(url, { bytes: bytes + (Number(before) - heapMb) * 2 ** 20, heapMb: Number(after) })
  })
}

/** Gently, so that it keeps what it compiled. */
export async function stop(url: string): Promise<void> {
  const pid = pids.get(new URL(url).origin)
  for (const child of children) {
    if (child.pid !== pid) continue
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

export function stopAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

function start(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd = root,
): ChildProcess {
  const child = spawn(command, args, {
    cwd,
    env: {
      ...{ ...process.env, LOG_LEVEL: 'warn', NEXT_TELEMETRY_DISABLED: '1' },
      // As `npm start` has it: a process that strips types itself holds 20 MiB for that.
      NODE_COMPILE_CACHE: join(cwd, 'node_modules/.cache/quorate/compiled'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}
