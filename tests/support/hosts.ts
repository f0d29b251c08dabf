import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { ensureBuild } from '../../demo/build.ts'
import { type Keeper, startKeeper } from '../../demo/keeper.ts'
import type { Nodes } from './demo-nodes.ts'
import { type Host, type HostKind, type HostOptions, run, startHost } from './host.ts'
import { configOf, startMadeUpNodes } from './made-up-nodes.ts'

/** The two hosts that run the same suite. */
export const bothHosts = ['node', 'edge'] as const satisfies readonly HostKind[]
/** The same where no page is asked for: Next is most of a start. */
export const bothGateways = ['alone', 'edge'] as const satisfies readonly HostKind[]

const root = join(import.meta.dirname, '../..')

/** Production hosts for one test file. All of them are stopped after the last test. */
export function hostsForOneFile(): (kind: HostKind, options?: HostOptions) => Promise<Host> {
  const running: Host[] = []
  let keeper: Keeper | undefined
  beforeAll(async () => {
    keeper = startKeeper()
    await ensureBuild(root, keeper)
  }, 600_000)
  afterAll(async () => {
    for (const host of running) host.signal('SIGKILL')
    await Promise.all(running.map((host) => host.ended))
    keeper?.close()
  })
  return async (kind, options) => {
    const { host, pid } = await startHost(kind, options)
    keeper?.keep(pid)
    running.push(host)
    return host
  }
}

/** Starts both hosts in parallel, since each spends half of its start on file reads. */
export async function startBoth(
  start: ReturnType<typeof hostsForOneFile>,
  options: HostOptions,
  kinds: readonly HostKind[] = bothHosts,
): Promise<ReadonlyMap<string, Host>> {
  return new Map(await Promise.all(kinds.map(async (kind) => [kind, await start(kind, options)] as const)))
}

/** Made-up nodes for one test file. */
export function madeUpNodesForOneFile(results: Parameters<typeof startMadeUpNodes>[0] = {}): () => Nodes {
  let nodes: Nodes
  beforeAll(async () => {
    nodes = await startMadeUpNodes(results)
  })
  afterAll(() => nodes.stop())
  return () => nodes
}

/** The same, and hosts before them: `more` is added to their configuration. */
export function hostsBeforeMadeUpNodes(results: Parameters<typeof startMadeUpNodes>[0] = {}) {
  const startHost = hostsForOneFile()
  const nodesOf = madeUpNodesForOneFile(results)
  const start = (kind: HostKind, { more, ...options }: HostOptions & { readonly more?: object } = {}) =>
    startHost(kind, { config: configOf(nodesOf(), more), ...options })
  return { start, nodesOf }
}

/** The token of the operator of the shared hosts. */
export const operatorToken = 'a-token-of-the-operator'

interface SharedHosts {
  readonly nodes: Nodes
  readonly hosts: ReadonlyMap<string, Host>
}
let shared: Promise<SharedHosts> | undefined

/**
 * Both hosts before made-up nodes, for suites that leave them as they were: one pair for all files of a vitest process, with which
 * they end. Their output and their counts begin before the file.
 */
export function sharedHosts() {
  let both: SharedHosts
  beforeAll(async () => {
    shared ??= startShared()
    both = await shared
  }, 600_000)
  return { hostOf: (kind: HostKind) => both.hosts.get(kind) as Host, nodesOf: () => both.nodes }
}

async function startShared(): Promise<SharedHosts> {
  const keeper = startKeeper()
  await ensureBuild(root, keeper)
  const nodes = await startMadeUpNodes()
  const env = {
    OPERATOR_TOKEN: operatorToken,
    SECURITY_CONTACT: 'mailto:security@app.example',
    RPC_ALLOWED_ORIGINS: 'https://partner.example, tauri://localhost',
  }
  const start = async (kind: HostKind) => {
    const { host, pid } = await startHost(kind, { config: configOf(nodes), env })
    keeper.keep(pid)
    return [kind, host] as const
  }
  return { nodes, hosts: new Map(await Promise.all(bothHosts.map(start))) }
}

/** Runs a host that is expected to exit by itself; returns its exit code and output. */
export async function runToEnd(
  kind: HostKind,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const { child, output } = run(kind, { env })
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, output: output() }
}
