import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/**
 * `node`: the demo that the suite runs on, with its wallet. `edge`: the same build and nodes under `next start`, with the
 * demo's wallet. `plain`: the Node host as an operator runs it, without a demo.
 */
export type AppKind = 'node' | 'edge' | 'plain'

export interface Apps {
  /** Base of the app; started when first asked for, with this environment on top. */
  readonly url: (kind: AppKind, env?: Readonly<Record<string, string>>) => Promise<string>
  readonly stop: () => Promise<void>
}

const root = join(import.meta.dirname, '../../..')
const next = join(root, 'node_modules/next/dist/bin/next')
const readyWithinMs = 60_000

export function createApps(demoUrl: string): Apps {
  const running: ChildProcess[] = []
  const urls = new Map<string, Promise<string>>()
  const start = async (kind: 'edge' | 'plain', env: Readonly<Record<string, string>>) => {
    const port = String(await freePort())
    const args = kind === 'edge' ? [next, 'start', '-H', '127.0.0.1', '-p', port] : ['server.ts']
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...cleanEnv(),
        PORT: port,
        HOST: '127.0.0.1',
        RPC_CONFIG: demoConfig(),
        ...demoEnv(kind),
        ...env,
      },
    })
    running.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
      })
    }
    const url = `http://127.0.0.1:${port}`
    await ready(url, child, () => output)
    return url
  }
  return {
    url(kind, env = {}) {
      if (kind === 'node') return Promise.resolve(demoUrl)
      const key = JSON.stringify([kind, env])
      const url = urls.get(key) ?? start(kind, env)
      urls.set(key, url)
      return url
    },
    async stop() {
      await Promise.all(
        running.map((child) => {
          if (child.exitCode !== null || child.signalCode !== null) return undefined
          child.kill('SIGKILL')
          return once(child, 'exit')
        }),
      )
    },
  }
}

/** The running demo's chains and nodes, as it writes them down for others. */
function demoConfig(): string {
  const path = join(root, '.demo/rpc-config.json')
  if (!existsSync(path))
    throw new Error('these tests stand on a running demo of this folder: no .demo/rpc-config.json')
  return readFileSync(path, 'utf8')
}

function demoEnv(kind: 'edge' | 'plain'): Readonly<Record<string, string>> {
  return kind === 'edge' ? { DEMO: '1', OPERATOR_OPEN: '1' } : {}
}

/** What the tests' own environment says of an app must not reach the apps under test. */
function cleanEnv(): NodeJS.ProcessEnv {
  const {
    DEMO: _demo,
    OPERATOR_OPEN: _open,
    OPERATOR_TOKEN: _token,
    RPC_CONFIG_FILE: _file,
    ...env
  } = process.env
  return { ...env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
}

async function ready(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const giveUpMs = Date.now() + readyWithinMs
  while (child.exitCode === null && Date.now() < giveUpMs) {
    const response = await fetch(`${url}/api/rpc/ready`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${url} did not get ready:\n${output()}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
