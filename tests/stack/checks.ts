import assert from 'node:assert/strict'
import { openLoop } from '../../scripts/load/open-loop.ts'
import { scenarios } from '../../scripts/load/scenarios.ts'
import { json, readChains, setFaultProfile } from './chains.ts'
import { panelsDraw, sitesServe } from './configuration.ts'
import { awaitHealthy, type Engine } from './engine.ts'
import { awaited } from './shell.ts'

/** What docker-compose.yml publishes. */
export const published = [
  'app',
  'chains',
  'nginx',
  'prometheus',
  'alertmanager',
  'collector',
  'jaeger',
  'grafana',
] as const

/** Input of a check. */
export interface Stack {
  readonly engine: Engine
  readonly origins: Readonly<Record<(typeof published)[number], string>>
  readonly hasCollector: boolean
}

/** A check and its title. Its result goes into the report. */
export interface Check {
  readonly name: string
  readonly run: (stack: Stack) => Promise<string>
}

interface Container {
  readonly Name: string
  readonly RestartCount: number
  readonly Config: { readonly User: string; readonly Image: string }
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean
    readonly CapDrop: readonly string[] | null
    readonly Memory: number
    readonly PortBindings: Readonly<Record<string, readonly { readonly HostIp: string }[] | null>> | null
  }
  readonly State: { readonly Status: string; readonly Health?: { readonly Status: string } }
}

/** Takes 90 seconds, mostly the `for` duration of the alert. The other checks run meanwhile. */
export const longCheck: Check = {
  name: 'a node that is switched off is an alert in Alertmanager, and the quorum holds',
  run: nodeIsMissed,
}

export const checks: readonly Check[] = [
  { name: 'every container runs, and is healthy where it can tell', run: areHealthy },
  { name: 'no container is root, writes its root, holds a capability or leaves loopback', run: areHardened },
  {
    name: 'the app reads all three chains through the quorum',
    run: ({ origins }) => readChains(origins.app),
  },
  {
    name: 'nginx reads all three chains through two gateways',
    run: ({ origins }) => readChains(origins.nginx),
  },
  { name: 'the page shows, and /status asks for the token', run: pagesShow },
  { name: 'nginx serves the pages of two apps, and all of them when one is killed', run: appKilled },
  { name: 'every address that is published answers', run: addressesAnswer },
  { name: 'every target is up in Prometheus, and every rule is evaluated', run: targetsAreUp },
  { name: 'a request is a span in the collector', run: spanArrives },
  { name: 'the examples of a site serve the app', run: ({ engine }) => sitesServe(engine) },
  { name: 'a gateway killed under load costs no call', run: gatewayKilled },
  { name: 'a gateway that is gone is an alert', run: (stack) => alertOf(stack, 'GatewayDown', 'gateway-') },
  {
    name: 'every panel of the dashboard asks what Prometheus can answer',
    run: ({ origins }) => panelsDraw(origins.prometheus),
  },
]

async function containers({ docker, compose }: Engine): Promise<readonly Container[]> {
  const ids = (await compose(['ps', '-q'])).split('\n').filter((line) => /^[0-9a-f]{12,}$/.test(line))
  return JSON.parse(await docker(['inspect', ...ids])) as Container[]
}

function areHealthy({ engine }: Stack): Promise<string> {
  return awaited('all containers healthy', async () => {
    const all = await containers(engine)
    const fallen = all.filter(({ RestartCount }) => RestartCount > 0).map(({ Name }) => Name)
    assert.deepEqual(fallen, [], 'containers that ended and were started again')
    const isWell = ({ State }: Container) =>
      State.Status === 'running' && (State.Health?.Status ?? 'healthy') === 'healthy'
    return all.length >= 10 && all.every(isWell) ? `${all.length} containers` : null
  })
}

async function areHardened({ engine }: Stack): Promise<string> {
  for (const { Name, Config, HostConfig } of await containers(engine)) {
    assert.match(Config.User, /^[1-9]\d*:\d+$/, Name)
    assert.equal(HostConfig.ReadonlyRootfs, true, Name)
    assert.deepEqual(HostConfig.CapDrop, ['ALL'], Name)
    assert.ok(HostConfig.Memory > 0, `${Name} has a memory limit`)
    for (const bindings of Object.values(HostConfig.PortBindings ?? {}))
      for (const { HostIp } of bindings ?? []) assert.equal(HostIp, '127.0.0.1', Name)
  }
  return 'ok'
}

async function pagesShow({ origins: { app } }: Stack): Promise<string> {
  const page = await fetch(`${app}/`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /Polygon/)
  const status = await fetch(`${app}/status`)
  assert.equal(status.status, 200)
  assert.match(await status.text(), /token/i)
  assert.equal((await fetch(`${app}/api/rpc/metrics`)).status, 401)
  return `${app}/`
}

async function addressesAnswer({ origins }: Stack): Promise<string> {
  const urls = [
    `${origins.app}/api/rpc/health`,
    `${origins.nginx}/api/rpc/ready`,
    `${origins.chains}/control`,
    `${origins.prometheus}/-/ready`,
    `${origins.alertmanager}/-/ready`,
    `${origins.grafana}/api/health`,
    `${origins.jaeger}/`,
  ]
  for (const url of urls) assert.equal((await fetch(url)).status, 200, url)
  return urls.join(' ')
}

interface Healthy {
  readonly health: string
}
interface Labelled {
  readonly labels: Readonly<Record<string, string>>
}
type Targets = { readonly data: { readonly activeTargets: readonly (Healthy & Labelled)[] } }
type Rules = { readonly data: { readonly groups: readonly { readonly rules: readonly Healthy[] }[] } }

async function targetsAreUp({ hasCollector, origins }: Stack): Promise<string> {
  const wanted = ['app', 'localhost:9090', 'alertmanager:9093']
  if (hasCollector) wanted.push('otel-collector:8888')
  const words = `the targets ${wanted.join(', ')}, two gateways and an app or two behind nginx up`
  const found = await awaited(words, async () => {
    const { data } = await json<Targets>(`${origins.prometheus}/api/v1/targets`)
    const up = data.activeTargets
      .filter(({ health }) => health === 'up')
      .map(({ labels }) => labels.instance ?? '')
    const gateways = up.filter((name) => name.startsWith('gateway-')).length
    const pages = up.filter((name) => name.startsWith('pages-')).length
    return gateways === 2 && pages > 0 && wanted.every((name) => up.includes(name)) ? up : null
  })
  const rules = await awaited('every rule healthy', async () => {
    const { data } = await json<Rules>(`${origins.prometheus}/api/v1/rules`)
    const all = data.groups.flatMap((group) => group.rules)
    return all.length > 0 && all.every(({ health }) => health === 'ok') ? all.length : null
  })
  return `${found.sort().join(', ')}; ${rules} rules`
}

async function spanArrives({ engine, hasCollector }: Stack): Promise<string> {
  if (!hasCollector) return 'not seen: no collector can be built here'
  return awaited('a span of eth_getBalance', async () => {
    const text = await engine.compose(['logs', '--no-color', 'otel-collector'])
    return /rpc\.method: Str\(eth_getBalance\)/.test(text) && /quorate\.node/.test(text) ? 'ok' : null
  })
}

async function gatewayKilled({ engine, origins }: Stack): Promise<string> {
  const [gateway = ''] = (await engine.compose(['ps', '-q', 'gateway'])).split('\n')
  const lost: Record<string, number> = {}
  const words = await awaited('no error while a gateway is killed', async () => {
    await engine.docker(['start', gateway])
    await awaitHealthy(engine, gateway)
    let killed: Promise<string> | undefined
    const { sent, latenciesMs, errors } = await openLoop({
      urls: [`${origins.nginx}/api/rpc/137`],
      scenario: scenarios(1).mixed,
      total: 400,
      perSecond: 40,
      timeoutMs: 120_000,
      onProgress: ({ good }) => {
        if (good > 0) killed ??= engine.docker(['kill', gateway])
      },
    })
    assert.ok(await killed, 'the gateway was killed while calls were sent')
    for (const [error, count] of Object.entries(errors)) if (!error.includes('JSON-RPC')) lost[error] = count
    assert.deepEqual(errors, {})
    assert.equal(latenciesMs.length, sent)
    return `${sent} calls at 40/s, none failed, slowest ${Math.round(latenciesMs.at(-1) ?? 0)} ms`
  })
  // An error of JSON-RPC is an answer: on a busy machine nodes are late for their quorum. A call without one is lost, and no later try helps.
  assert.deepEqual(lost, {})
  return words
}

async function appKilled({ engine, origins: { nginx: origin } }: Stack): Promise<string> {
  const statusOf = async (path: string) => (await fetch(`${origin}${path}`)).status
  assert.match(await (await fetch(`${origin}/`)).text(), /Polygon/)
  assert.equal((await fetch(`${origin}/api/auth/nonce`, { method: 'POST' })).status, 200)
  const [page = ''] = (await engine.compose(['ps', '-q', 'pages'])).split('\n')
  await engine.docker(['kill', page])
  const statuses: number[] = []
  for (let turn = 0; turn < 20; turn++) statuses.push(await statusOf('/'), await statusOf('/status'))
  assert.deepEqual(new Set(statuses), new Set([200]))
  return `${statuses.length} pages after one was killed`
}

async function nodeIsMissed(stack: Stack): Promise<string> {
  const { app, chains } = stack.origins
  const chain = 42161
  await readChains(app)
  // The two honest nodes are the quorum.
  await setFaultProfile(chains, { chain, node: 'late', faultProfile: 'down' })
  let found: string | undefined
  const alert = alertOf(stack, 'NodeUnusable', 'late').finally(() => (found ??= ''))
  alert.then(
    (words) => (found = words),
    () => {},
  )
  // A chain without calls is not reported as stalled.
  let [sent, good] = [0, 0]
  while (found === undefined) {
    const urls = [`${app}/api/rpc/${chain}`]
    const result = await openLoop({ urls, scenario: scenarios(2).read, total: 50, perSecond: 10 })
    sent += result.sent
    good += result.latenciesMs.length
  }
  assert.ok(good >= 0.98 * sent, `${good} of ${sent} calls were answered`)
  return alert
}

interface Alert extends Labelled {
  readonly annotations: Readonly<Record<string, string>>
}

async function alertOf({ origins }: Stack, name: string, of: string): Promise<string> {
  const { labels, annotations } = await awaited(`the alert ${name} of ${of}`, async () => {
    const all = await json<readonly Alert[]>(`${origins.alertmanager}/api/v2/alerts`)
    const isIt = ({ labels }: Alert) =>
      labels.alertname === name && (labels.node === of || labels.instance?.startsWith(of) === true)
    return all.find(isIt) ?? null
  })
  return `[${labels.severity}] ${annotations.summary}. ${annotations.description} (${annotations.runbook_url})`
}
