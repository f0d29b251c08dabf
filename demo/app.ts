import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import type { Keeper } from './keeper.ts'
import type { Stage } from './stage.ts'

/** What serves `/api/rpc`: the Node host in front of Next, from a build or of `npm run dev`, or the edge route. */
export type Host = 'node' | 'edge' | 'dev'

export type AppOptions = {
  readonly root: string
  readonly host: Host
  readonly port: number
  /** The listening address. */
  readonly address: string
  readonly keeper: Keeper
}

/** What is read as the app starts. Pages follow their files by themselves. */
const watched = ['site.config.ts', 'next.config.mjs', 'server.ts', 'lib', 'rpc-proxy'].map(
  (path) => `--watch-path=${path}`,
)

const readyWithinMs = 120_000

/** Starts the app for a stage. Its output goes to `.demo/app.log`, or to the terminal under `npm run dev`. */
export function startApp(stage: Stage, { root, host, port, address, keeper }: AppOptions): Child {
  const next = join(root, 'node_modules/next/dist/bin/next')
  const at = ['-H', address, '-p', String(port)]
  const command = {
    node: ['server.ts'],
    edge: [next, 'start', ...at],
    dev: [...watched, 'server.ts', '--dev'],
  }[host]
  return startChild(command, {
    cwd: root,
    logPath: host === 'dev' ? null : join(root, '.demo/app.log'),
    keeper,
    env: {
      ...process.env,
      NODE_ENV: host === 'dev' ? 'development' : 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: String(port),
      HOST: address,
      APP_ORIGIN: process.env.APP_ORIGIN || `http://localhost:${port}`,
      SESSION_SECRET: process.env.SESSION_SECRET || randomBytes(32).toString('hex'),
      SIGNING_KEY: process.env.SIGNING_KEY || randomBytes(32).toString('hex'),
      DEMO: '1',
      OPERATOR_OPEN: '1',
      DEMO_CONTROL_URL: stage.controlUrl,
      RPC_CONFIG: JSON.stringify(stage.config),
      // An unset variable would be read from .env.
      RPC_CONFIG_FILE: '',
    },
  })
}

/** Resolves when the app reports that it is ready. */
export async function isReady(port: number, address: string): Promise<void> {
  const name = address === '0.0.0.0' || address === '::' ? 'localhost' : address
  const url = `http://${name.includes(':') ? `[${name}]` : name}:${port}/api/rpc/ready`
  const deadlineMs = performance.now() + readyWithinMs
  while (performance.now() < deadlineMs) {
    const response = await fetch(url).catch(() => null)
    if (response?.status === 200) return
    await pause(100)
  }
  throw new Error(`The app did not become ready within ${readyWithinMs / 1000} s (${url}).`)
}
