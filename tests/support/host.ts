import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { balanceCall, postJson } from './post-json.ts'

/** `node`: server.ts, Next included. `dev`: the same as `npm run dev` starts it. `alone`: server.ts without Next. `edge`: `next start`, the edge route. */
export type HostKind = 'node' | 'dev' | 'alone' | 'edge'

type Headers = Readonly<Record<string, string>>
export type Host = Awaited<ReturnType<typeof startHost>>

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
export async function startHost(kind: HostKind, options: HostOptions = {}) {
  const { child, output } = run(kind, options)
  /** Resolves with its exit code. */
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const known = options.into === undefined ? undefined : options.env?.PORT
  const url = () => `http://127.0.0.1:${known ?? /http:\/\/127\.0\.0\.1:(\d+)/.exec(output())?.[1]}`
  const isReady = () =>
    fetch(`${url()}/api/rpc/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`${kind} ended with ${end}:\n${output()}`)
    await pause(50)
  }
  const post = (path: string, value: unknown, headers?: Headers, signal?: AbortSignal) =>
    postJson(url() + path, value, headers, signal)
  return {
    kind,
    url: url(),
    port: Number(new URL(url()).port),
    pid: child.pid ?? 0,
    get: (path: string, headers: Headers = {}) => fetch(url() + path, { headers }),
    post,
    /** Asks for a balance on chain 137, or for what `call` says. */
    call: (call: object = {}, ...how: [headers?: Headers, signal?: AbortSignal]) =>
      post('/api/rpc/137', { ...balanceCall, ...call }, ...how),
    /** Everything it has written so far, to stdout and stderr. */
    output,
    /** Ends the reader of both, as a log collector that is killed. */
    endReader() {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
    },
    ended,
    signal: (name: NodeJS.Signals) => void child.kill(name),
  }
}

/** As `proofs` of every chain that says nothing of it: the suites run with it as without. */
export const proofs = process.env.TEST_PROOFS

/** No call ends because the machine is slow: what ends at a deadline is a scenario. */
const patientMs = 60_000

type Chain = { readonly nodes?: readonly object[] }

function ofEachChain(config: unknown, change: (chain: Chain) => object): unknown {
  const { chains, ...rest } = config as { readonly chains?: readonly Chain[] }
  return chains === undefined ? config : { ...rest, chains: chains.map(change) }
}

/** A configuration as suites start hosts with it. */
export const withDefaults = (config: unknown) =>
  ofEachChain(config, (chain) => ({
    deadlineMs: patientMs,
    ...(proofs !== undefined && { proofs }),
    ...chain,
  }))

/** No node rests because the machine is slow: one that hangs says how long it may. */
const withStalls = (config: unknown) =>
  ofEachChain(config, ({ nodes, ...chain }) => ({
    ...chain,
    ...(nodes && { nodes: nodes.map((node) => ({ stallMs: patientMs, ...node })) }),
  }))

/** Spawns a host, ready or not. */
export function run(kind: HostKind, { config, env, into, ulimit }: HostOptions) {
  const file = into === undefined ? null : openSync(into, 'a')
  const limited = ulimit === undefined ? [] : ['bash', '-c', `ulimit ${ulimit}; exec "$@"`, '']
  const [program, ...args] = [...limited, process.execPath, ...commandOf[kind](env?.PORT ?? '0')]
  const child = spawn(program as string, args, {
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
      ...(config !== undefined && { RPC_CONFIG: JSON.stringify(withStalls(withDefaults(config))) }),
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
