import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startKeeper } from '../../../demo/keeper.ts'
import { freePort } from '../../../demo/ports.ts'
import { type Stage, startStage } from '../../../demo/stage.ts'
import { compileCache, proofs, withDefaults } from '../../support/host.ts'
import { buildFork, copyProject, devCopy } from './fork.ts'

/**
 * `node`: the demo with its wallet. `edge`: the same build and nodes under `next start`, with the demo wallet. `plain`: the
 * Node host as in production, without a demo. `fork`: the same with the pages of tests/e2e/fork. `fork-edge`: that under `next start`.
 * `dev`: `plain` as `npm run dev` serves it, in a copy that a test may edit.
 */
export type AppKind = 'node' | 'edge' | 'plain' | 'dev' | 'fork' | 'fork-edge'

export interface Apps {
  /** Base url of the app. It is started on first use, with this additional environment. */
  readonly url: (kind: AppKind, env?: Readonly<Record<string, string>>) => Promise<string>
  /** `RPC_CONFIG` of the apps, with these `proofs` of each chain. */
  readonly configWith: (proofsOf: (chainId: number) => 'auto' | 'off') => string
  /** What the app at this url has printed, its log included. */
  readonly printed: (url: string) => string
  /** Where the demo's nodes are given faults, and its gateway of names is. */
  readonly controlUrl: string
  /** Url of the chain itself, which no faulty node is in front of. */
  readonly chainUrl: (id: number) => string
  readonly stop: () => Promise<void>
}

const root = join(import.meta.dirname, '../../..')
const next = join(root, 'node_modules/next/dist/bin/next')
/** Next compiles for a minute first under `npm run dev` on a busy machine. */
const readyWithinMs = 180_000
/** A test waits for blocks: on Ethereum it would for 12 s. Those of 0.25 s, as on Arbitrum, cost much of a worker's processor time. */
const blockTimeS = 1
const stageProofs = proofs === undefined ? {} : { proofs }

/** Starts separate demo chains and nodes for these apps, so that workers do not affect each other. */
export async function createApps(): Promise<Apps> {
  const keeper = startKeeper()
  const stage = await startStage({ keeper, blockTimeS, ...stageProofs })
  const running: ChildProcess[] = []
  const urls = new Map<string, Promise<string>>()
  const outputs = new Map<string, string>()
  const printed = (url: string) => outputs.get(url) ?? ''
  const stages: Stage[] = [stage]
  const prepareFork = async () => {
    const { folder, stage: own } = await buildFork({ keeper, blockTimeS, ...stageProofs })
    stages.push(own)
    return { folder, chains: [...stage.config.chains, ...own.config.chains] }
  }
  let fork: ReturnType<typeof prepareFork> | undefined
  const forkOnce = () => {
    fork ??= prepareFork()
    return fork
  }
  const stock = { folder: root, chains: stage.config.chains }
  const sourceOf = (kind: AppKind) => {
    if (kind.startsWith('fork')) return forkOnce()
    if (kind !== 'dev') return stock
    copyProject(devCopy)
    return { ...stock, folder: devCopy }
  }
  const start = async (kind: AppKind, env: Readonly<Record<string, string>>) => {
    const { folder, chains } = await sourceOf(kind)
    const config = env.RPC_CONFIG === undefined ? { ...stage.config, chains } : JSON.parse(env.RPC_CONFIG)
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const node = ['server.ts', ...(kind === 'dev' ? ['--dev'] : [])]
    const args = kind.endsWith('edge') ? [next, 'start', '-H', '127.0.0.1', '-p', port] : node
    const child = spawn(process.execPath, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...cleanEnv(),
        NODE_COMPILE_CACHE: compileCache,
        PORT: port,
        HOST: '127.0.0.1',
        ...demoEnv(kind, stage, url),
        ...env,
        RPC_CONFIG: JSON.stringify(withDefaults(config)),
      },
    })
    running.push(child)
    if (child.pid) keeper.keep(child.pid)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => outputs.set(url, `${outputs.get(url) ?? ''}${chunk}`))
    }
    await ready(url, child, () => printed(url))
    return url
  }
  return {
    configWith(proofsOf) {
      const chains = stage.config.chains.map((chain) => ({ ...chain, proofs: proofsOf(chain.id) }))
      return JSON.stringify({ ...stage.config, chains })
    },
    printed,
    controlUrl: stage.controlUrl,
    url(kind, env = {}) {
      const key = JSON.stringify([kind, env])
      const url = urls.get(key) ?? start(kind, env)
      urls.set(key, url)
      return url
    },
    chainUrl(id) {
      const url = stage.scenes.find(({ chain }) => chain.id === id)?.chain.url
      if (url === undefined) throw new Error(`there is no chain ${id}`)
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
      await Promise.all(stages.map((each) => each.stop()))
      keeper.close()
    },
  }
}

function demoEnv(kind: AppKind, { controlUrl }: Stage, url: string): Readonly<Record<string, string>> {
  const demo = { DEMO: '1', OPERATOR_OPEN: '1' }
  return {
    node: { ...demo, DEMO_CONTROL_URL: controlUrl, APP_ORIGIN: url },
    edge: demo,
    plain: { APP_ORIGIN: url },
    dev: { APP_ORIGIN: url, NODE_ENV: 'development' },
    fork: { APP_ORIGIN: url },
    'fork-edge': { APP_ORIGIN: url },
  }[kind]
}

/** The environment without app settings. They are empty, because unset variables would be read from .env. */
function cleanEnv(): NodeJS.ProcessEnv {
  const none = { DEMO: '', OPERATOR_OPEN: '', OPERATOR_TOKEN: '', RPC_CONFIG_FILE: '' }
  return { ...process.env, ...none, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
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
