import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Host, isReady, startApp } from './app.ts'
import { banner } from './banner.ts'
import { ensureBuild } from './build.ts'
import { nodesFrom } from './default-nodes.ts'
import { startKeeper } from './keeper.ts'
import { namesChainId, writeDemoNames } from './name-registry.ts'
import { checkPorts, portFrom } from './ports.ts'
import { say } from './say.ts'
import { type Stage, type StageOptions, startStage } from './stage.ts'

/**
 * `npm run demo`: a local chain for each of `quorate.config.ts`, four voters and three witnesses in front of each, and the app. `--edge` uses the edge route,
 * `--dev` compiles pages as they are edited, `--ports-from N` uses fixed ports for chains and nodes, `--nodes geth,nethermind,lying` uses these
 * nodes for each chain, `--witnesses geth,besu` these witnesses, `--proofs auto` has state proven. Writes only to .demo and .next.
 */
const root = join(import.meta.dirname, '..')
const keeper = startKeeper()
const undo: (() => Promise<unknown>)[] = []
let leaving: Promise<never> | undefined

const hosts: Readonly<Record<Host, string>> = {
  node: 'Node host',
  edge: 'next start, edge route',
  dev: 'Node host, pages as you edit them',
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // A second signal exits immediately; the keeper stops the rest.
    if (leaving !== undefined) process.exit(130)
    say('stopping…')
    void leave(0)
  })
}

try {
  await run()
} catch (cause) {
  if (leaving === undefined) console.error(`\n${cause instanceof Error ? cause.message : String(cause)}`)
  await leave(1)
}

async function run(): Promise<never> {
  const { host, ...options } = readArguments()
  const port = portFrom(process.env.PORT || '3000')
  const address = process.env.HOST || '127.0.0.1'
  await checkPorts(port, address)

  say('starting local chains and their nodes…')
  // First, because the build has the addresses of the contracts that are deployed there.
  const stage = await raiseStage(options)
  if (host !== 'dev') await ensureBuild(root, keeper)

  say('starting the app…')
  const app = startApp(stage, { root, host, port, address, keeper })
  undo.push(() => app.stop())
  const died = app.ended.then((how): never => {
    throw new Error(`The app ended by itself (${how}).\n${app.lastOutput()}`)
  })
  await Promise.race([isReady(port, address), died, stage.failure])
  say('ready')
  console.log(banner(stage, { appUrl: `http://localhost:${port}`, host: hosts[host] }))
  return Promise.race([died, stage.failure])
}

async function raiseStage(options: Pick<StageOptions, 'portsFrom' | 'nodes' | 'proofs'>): Promise<Stage> {
  const stage = await startStage({ keeper, ...options })
  undo.push(() => stage.stop())
  const ethereum = stage.scenes.find(({ chain }) => chain.id === namesChainId)
  if (ethereum !== undefined) await writeDemoNames(ethereum.chain.url, stage.controlUrl)
  // Other tools read the nodes from here while the demo runs.
  const configPath = join(root, '.demo/rpc-config.json')
  mkdirSync(join(root, '.demo'), { recursive: true })
  writeFileSync(configPath, `${JSON.stringify(stage.config, null, 2)}\n`)
  undo.push(async () => rmSync(configPath, { force: true }))
  say(`chains ${stage.scenes.map(({ chain }) => chain.id).join(', ')} are up`)
  return stage
}

function readArguments(): Pick<StageOptions, 'portsFrom' | 'nodes' | 'proofs'> & { readonly host: Host } {
  try {
    const { values } = parseArgs({
      options: {
        edge: { type: 'boolean' },
        dev: { type: 'boolean' },
        'ports-from': { type: 'string' },
        nodes: { type: 'string' },
        witnesses: { type: 'string' },
        proofs: { type: 'string' },
      },
    })
    const { edge, dev, 'ports-from': from, proofs, ...named } = values
    return {
      host: dev ? 'dev' : edge ? 'edge' : 'node',
      nodes: nodesFrom(named),
      ...(from !== undefined && { portsFrom: portFrom(from) }),
      ...(proofs !== undefined && { proofs }),
    }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `${why}\nusage: npm run demo -- [--edge] [--ports-from N] [--nodes geth,nethermind,lying] [--witnesses geth,besu] [--proofs auto]`,
    )
  }
}

function leave(code: number): Promise<never> {
  leaving ??= (async () => {
    for (const step of undo.toReversed()) await step().catch((cause) => console.error(String(cause)))
    process.exit(code)
  })()
  return leaving
}
