import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { ensureBuild } from '../../demo/build.ts'
import { startKeeper } from '../../demo/keeper.ts'
import type { Nodes } from './demo-nodes.ts'
import { type Host, type HostKind, type HostOptions, run, startHost } from './host.ts'
import { configOf, startMadeUpNodes } from './made-up-nodes.ts'

/** The two hosts that run the same suite. */
export const bothHosts = ['node', 'edge'] as const satisfies readonly HostKind[]
/** The same where no page is asked for: Next is most of a start. */
export const bothGateways = ['alone', 'edge'] as const satisfies readonly HostKind[]

const root = join(import.meta.dirname, '../..')

/** Starts hosts as built for production, which end with this process at the latest. */
async function openHosts() {
  const keeper = startKeeper()
  await ensureBuild(root, keeper)
  const running: Host[] = []
  return {
    async start(kind: HostKind, options?: HostOptions): Promise<Host> {
      const host = await startHost(kind, options)
      keeper.keep(host.pid)
      running.push(host)
      return host
    },
    async stop() {
      for (const host of running) host.signal('SIGKILL')
      await Promise.all(running.map((host) => host.ended))
      keeper.close()
    },
  }
}

/** Such hosts for one test file. All of them are stopped after the last test. */
export function hostsForOneFile() {
  let hosts: Awaited<ReturnType<typeof openHosts>>
  beforeAll(async () => {
    hosts = await openHosts()
  })
  afterAll(() => hosts.stop())
  return (kind: HostKind, options?: HostOptions) => hosts.start(kind, options)
}

/** A host until the end of the test, which needs no build. */
export async function hostForOneTest(kind: HostKind, options: HostOptions): Promise<Host> {
  const host = await startHost(kind, options)
  onTestFinished(() => host.signal('SIGKILL'))
  return host
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
export function madeUpNodesForOneFile(): () => Nodes {
  let nodes: Nodes
  beforeAll(async () => {
    nodes = await startMadeUpNodes()
  })
  afterAll(() => nodes.stop())
  return () => nodes
}

/** The same, and hosts before them: `more` is added to their configuration. */
export function hostsBeforeMadeUpNodes() {
  const startHost = hostsForOneFile()
  const nodesOf = madeUpNodesForOneFile()
  const start = (kind: HostKind, { more, ...options }: HostOptions & { readonly more?: object } = {}) =>
    startHost(kind, { config: configOf(nodesOf(), more), ...options })
  return { start, nodesOf }
}

export const operatorToken = 'a-token-of-the-operator'
/** The headers of an operator with that token. */
export const asOperator = { authorization: `Bearer ${operatorToken}` }

/** The cookie of a new session of the operator. */
export const operatorCookie = async (host: Host, token = operatorToken) =>
  pairOf(await host.post('/api/operator/session', { token }))

/** The first cookie that an answer sets, as it is sent back. */
export const pairOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** The value of a sample of the metrics of a host, 0 where there is none. */
export async function metricOf(host: Host, sample: string): Promise<number> {
  const lines = (await (await host.get('/api/rpc/metrics', asOperator)).text()).split('\n')
  return Number(lines.find((line) => line.startsWith(`${sample} `))?.split(' ')[1] ?? 0)
}

let shared: ReturnType<typeof startShared> | undefined

/**
 * Both hosts before made-up nodes, for suites that leave them as they were: one pair for all files of a vitest process, with which
 * they end. Their output and their counts begin before the file.
 */
export function sharedHosts() {
  let both: Awaited<NonNullable<typeof shared>>
  beforeAll(async () => {
    shared ??= startShared()
    both = await shared
  })
  return { hostOf: (kind: HostKind) => both.hosts.get(kind) as Host, nodesOf: () => both.nodes }
}

async function startShared() {
  const { start } = await openHosts()
  const nodes = await startMadeUpNodes()
  const env = {
    OPERATOR_TOKEN: operatorToken,
    SECURITY_CONTACT: 'mailto:security@app.example',
    RPC_ALLOWED_ORIGINS: 'https://partner.example, tauri://localhost',
  }
  return { nodes, hosts: await startBoth(start, { config: configOf(nodes), env }) }
}

/** Runs a host that is expected to exit by itself; returns its exit code and output. */
export async function runToEnd(kind: HostKind, options: HostOptions) {
  const { child, output } = run(kind, options)
  const [code] = (await once(child, 'exit')) as [number | null]
  return { code, output: output() }
}
