import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** `node`: server.ts, Next included. `alone`: server.ts without Next. `edge`: `next start`, the edge route. */
export type HostKind = 'node' | 'alone' | 'edge'

export interface Host {
  readonly kind: HostKind
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Everything it has written so far, to stdout and stderr. */
  readonly output: () => string
  readonly signal: (name: NodeJS.Signals) => void
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>
}

export interface HostOptions {
  readonly config?: unknown
  readonly env?: Readonly<Record<string, string>>
}

const root = join(import.meta.dirname, '../..')
const next = join(root, 'node_modules/next/dist/bin/next')
const commands: Readonly<Record<HostKind, readonly string[]>> = {
  node: ['server.ts'],
  alone: ['server.ts', '--rpc-only'],
  // As `npm run start:edge`.
  edge: [next, 'start', '-H', '127.0.0.1', '-p', '0', '--keepAliveTimeout', '620000'],
}

/** Starts a host and returns when it is ready. The caller must stop it. */
export async function startHost(
  kind: HostKind,
  options: HostOptions = {},
): Promise<{ host: Host; pid: number }> {
  const { child, output } = run(kind, options)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const address = /http:\/\/127\.0\.0\.1:(\d+)/
  const port = await new Promise<number>((resolve, reject) => {
    const look = () => {
      const found = address.exec(output())?.[1]
      if (found !== undefined) resolve(Number(found))
    }
    child.stdout?.on('data', look)
    void ended.then((code) => reject(new Error(`${kind} ended with ${code}:\n${output()}`)))
  })
  const url = `http://127.0.0.1:${port}`
  // `next start` prints its address before it can answer.
  while (
    !(await fetch(`${url}/api/rpc/ready`).then(
      (response) => response.ok,
      () => false,
    ))
  );
  const pid = child.pid ?? 0
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  return { host: { kind, url, port, pid, output, ended, signal }, pid }
}

/** Spawns a host, ready or not. */
export function run(
  kind: HostKind,
  { config, env }: HostOptions,
): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, commands[kind], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: '0',
      LOG_LEVEL: 'info',
      // Compiling takes half of a start, and a run has dozens of starts. Hosts that exit by themselves fill the cache.
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/quorate/compiled'),
      ...(config !== undefined && { RPC_CONFIG: JSON.stringify(config) }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
  return { child, output: () => written }
}
