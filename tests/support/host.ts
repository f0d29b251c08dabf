import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'

/** `node`: server.ts, Next included. `dev`: the same as `npm run dev` starts it. `alone`: server.ts without Next. `edge`: `next start`, the edge route. */
export type HostKind = 'node' | 'dev' | 'alone' | 'edge'

export interface Host {
  readonly kind: HostKind
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Everything it has written so far, to stdout and stderr. */
  readonly output: () => string
  /** Ends the reader of both, as a log collector that is killed. */
  readonly endReader: () => void
  readonly signal: (name: NodeJS.Signals) => void
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>
}

export interface HostOptions {
  readonly config?: unknown
  readonly env?: Readonly<Record<string, string>>
  /** A file or device for stdout and stderr, appended to; needs `PORT` in `env`. */
  readonly into?: string
  /** A limit of the process, as bash's `ulimit` takes it: `-f 1` for files of a KiB, `-n 64` for descriptors. */
  readonly ulimit?: string
}

const root = join(import.meta.dirname, '../..')
const next = join(root, 'node_modules/next/dist/bin/next')
/** Compiling takes a third of a start, and a run has dozens of starts. Hosts that exit by themselves fill the cache. */
export const compileCache = join(root, 'node_modules/.cache/quorate/compiled')
const commandOf: Readonly<Record<HostKind, (port: string) => readonly string[]>> = {
  node: () => ['server.ts'],
  dev: () => ['server.ts', '--dev'],
  alone: () => ['server.ts', '--rpc-only'],
  // As `npm run start:edge`.
  edge: (port) => [next, 'start', '-H', '127.0.0.1', '-p', port, '--keepAliveTimeout', '620000'],
}

/** Starts a host and returns when it is ready. The caller must stop it. */
export async function startHost(
  kind: HostKind,
  options: HostOptions = {},
): Promise<{ host: Host; pid: number }> {
  const { child, output } = run(kind, options)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const address = /http:\/\/127\.0\.0\.1:(\d+)/
  const known = options.into === undefined ? null : Number(options.env?.PORT)
  const port = await new Promise<number>((resolve, reject) => {
    if (known !== null) return resolve(known)
    const look = () => {
      const found = address.exec(output())?.[1]
      if (found !== undefined) resolve(Number(found))
    }
    child.stdout?.on('data', look)
    void ended.then((code) => reject(new Error(`${kind} ended with ${code}:\n${output()}`)))
  })
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/api/rpc/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  // `next start` prints its address before it can answer, and needs the processor for it.
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 50))
  const pid = child.pid ?? 0
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  const endReader = () => {
    for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  }
  return { host: { kind, url, port, pid, output, endReader, ended, signal }, pid }
}

/** As `proofs` of every chain that says nothing of it: the suites run with it as without. */
export const proofs = process.env.TEST_PROOFS

/** No call ends because the machine is slow: what ends at a deadline is a scenario. */
const patientMs = 60_000

/** A configuration as suites start hosts with it. */
export function withDefaults(config: unknown): unknown {
  const { chains, ...rest } = config as { readonly chains?: readonly object[] }
  if (chains === undefined) return config
  const defaults = { deadlineMs: patientMs, ...(proofs !== undefined && { proofs }) }
  return { ...rest, chains: chains.map((chain) => ({ ...defaults, ...chain })) }
}

/** Spawns a host, ready or not. */
export function run(
  kind: HostKind,
  { config, env, into, ulimit }: HostOptions,
): { child: ChildProcess; output: () => string } {
  const file = into === undefined ? null : openSync(into, 'a')
  const command = commandOf[kind](env?.PORT ?? '0')
  const limited =
    ulimit === undefined
      ? ([process.execPath, command] as const)
      : (['bash', ['-c', `ulimit ${ulimit}; exec "$@"`, '', process.execPath, ...command]] as const)
  const child = spawn(...limited, {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: '0',
      LOG_LEVEL: 'info',
      // An unset variable would be read from .env.
      RPC_CONFIG_FILE: '',
      NODE_COMPILE_CACHE: compileCache,
      ...(config !== undefined && { RPC_CONFIG: JSON.stringify(withDefaults(config)) }),
      ...env,
    },
    stdio: ['ignore', file ?? 'pipe', file ?? 'pipe'],
  })
  if (file !== null) closeSync(file)
  let written = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
  return { child, output: () => written }
}
