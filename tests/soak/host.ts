import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Resources of a host after a full garbage collection. */
export interface Held {
  readonly heapBytes: number
  readonly rssBytes: number
  readonly sockets: number
  readonly timers: number
  /** Open file descriptors. */
  readonly files: number
  /** CPU time so far, user and system, before the garbage collection of this probe. */
  readonly spentBeforeMs: number
  /** CPU time after the collection. */
  readonly spentMs: number
}

export interface SoakHost {
  readonly url: string
  readonly held: () => Promise<Held>
  readonly snapshot: () => Promise<Snapshot>
  /** Sends SIGTERM; returns the exit code and the duration. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly ms: number }>
  readonly kill: () => void
}

export interface Snapshot {
  readonly cache: { readonly bytes: number }
  readonly inFlight: { readonly requests: number; readonly upstreamRequests: number }
  readonly counters: readonly { readonly name: string; readonly value: number }[]
}

const token = 'the-token-of-the-operator'
/** The Node host like `npm run rpc`, with a probe. */
export async function startHost(config: unknown): Promise<SoakHost> {
  const child = spawn(
    process.execPath,
    ['--expose-gc', '--import', './tests/soak/probe.ts', 'server.ts', '--rpc-only'],
    {
      cwd: join(import.meta.dirname, '../..'),
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        PORT: '0',
        LOG_LEVEL: 'info',
        OPERATOR_TOKEN: token,
        RPC_CONFIG: JSON.stringify(config),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the host ended with ${code}`)
  })
  ended.catch(() => {})
  const next = (pattern: RegExp) => {
    const reported = new Promise<string>((resolve) => {
      const hear = (line: string) => {
        const found = pattern.exec(line)?.[1]
        if (found === undefined) return
        lines.off('line', hear)
        resolve(found)
      }
      lines.on('line', hear)
    })
    return Promise.race([reported, ended])
  }
  const url = await next(/(http:\/\/127\.0\.0\.1:\d+)/)
  return {
    url,
    async held() {
      const line = next(/^HELD (.*)/)
      child.kill('SIGUSR2')
      return JSON.parse(await line) as Held
    },
    async snapshot() {
      const headers = { authorization: `Bearer ${token}` }
      return (await (await fetch(`${url}/api/rpc/snapshot`, { headers })).json()) as Snapshot
    },
    async stop() {
      const startMs = performance.now()
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = (await exit) as [number | null]
      return { code, ms: performance.now() - startMs }
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
