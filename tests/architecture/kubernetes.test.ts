import { globSync } from 'node:fs'
import { parseEnv as parseLines } from 'node:util'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'
import defaults from '#config'
import { parseEnv, secretVariables } from '#lib/config/env.ts'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { createViews } from '#lib/routes/gateway-views.ts'
import { parseConfig } from '#rpc-proxy'
import { read, root } from './support/sources.ts'

/** The manifests as they are written, held against the code that they run. Schemas: tests/kubernetes. */
const manifest = z.looseObject({ kind: z.string(), metadata: z.looseObject({ name: z.string() }) })
const manifests = globSync('deploy/kubernetes/**/*.yml', { cwd: root })
  .filter((path) => !path.endsWith('kustomization.yml'))
  .flatMap((path) => parseAllDocuments(read(path)).map((document) => manifest.parse(document.toJS())))

const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.literal('http') }) })
const container = z.looseObject({
  args: z.array(z.string()),
  ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().optional() })),
  startupProbe: probe,
  readinessProbe: probe,
  livenessProbe: probe,
  lifecycle: z.object({ preStop: z.object({ sleep: z.object({ seconds: z.number() }) }) }),
  volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string(), readOnly: z.literal(true) })),
})
const deployment = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.number(),
        securityContext: z.looseObject({ runAsUser: z.number() }),
        containers: z.tuple([container]),
      }),
    }),
  }),
})
const find = (kind: string, name = 'quorate') =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name)
const pod = deployment.parse(find('Deployment')).spec.template.spec
const [app] = pod.containers

/** `NAME=value` of the overlays and the environment of the container, without those that the cluster fills in. */
const settings = globSync('deploy/kubernetes/overlays/*/settings.env', { cwd: root }).map((path) =>
  parseLines(read(path)),
)
const ingresses = manifests.filter(({ kind }) => kind === 'Ingress')
const isSecretFile = (name: string) => secretVariables.some((secret) => name === `${secret}_FILE`)

test('the port is the one that the image listens on', () => {
  const [, port] = /^ENV .*\bPORT=(\d+)/m.exec(read('Dockerfile')) ?? []
  expect(app.ports).toEqual([{ name: 'http', containerPort: Number(port) }])
  expect(read('Dockerfile')).toMatch(/^ENV .*HOST=:: /m)
})

test('probes ask routes that are there and look at no node: one throttled chain restarts and removes no replica', () => {
  const readings: string[] = []
  const gateway = new Proxy({}, { get: (_, name) => readings.push(String(name)) })
  const { views } = createViews({ gateway, draining: () => false } as never, {
    ...{ streamMsMax: null, replica: null, build: null, counts: createHostCounts() },
    env: parseEnv({}),
    log: { isOn: () => false, write: () => {} },
  })
  readings.length = 0
  for (const { httpGet } of [app.startupProbe, app.readinessProbe, app.livenessProbe]) {
    const view = views[httpGet.path.replace('/api/rpc/', '')]
    expect(view?.operator, httpGet.path).toBe(false)
    expect(view?.answer({} as never, [])).toMatchObject({ status: 200 })
  }
  expect(readings).toEqual([])
  const { livenessProbe, readinessProbe } = app
  expect(livenessProbe, 'a draining process is not killed').not.toMatchObject(readinessProbe)
})

test('a pod is killed only after its process has drained by itself', () => {
  const [, exitMsMax = ''] = /const exitMsMax = ([\d_]+)/.exec(read('server.ts')) ?? []
  const drainS = Number(exitMsMax.replace('_', '')) / 1000
  expect(drainS).toBeGreaterThan(10)
  const stopS = app.lifecycle.preStop.sleep.seconds + drainS
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(stopS)
})

test('every variable is one that the process reads, with a value that it takes', () => {
  expect(settings.length).toBe(2)
  const given = Object.fromEntries(app.env.map(({ name, value }) => [name, value ?? 'quorate-7d4b-x2x']))
  const known = [...read('lib/config/env.ts').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name)
  const names = [...Object.keys(given), ...settings.flatMap(Object.keys)]
  expect(names.filter((name) => !known.includes(name) && !isSecretFile(name))).toEqual([])
  for (const own of settings)
    expect(parseEnv({ ...given, ...own, SESSION_SECRET: 'x'.repeat(32) })).toMatchObject(own)
})

test('no ingress logs paths of the gateway, which may have a caller’s key', () => {
  const ofGateway = ingresses.filter((each) => JSON.stringify(each).includes('"path":"/api/rpc'))
  expect(ofGateway.map(({ metadata }) => JSON.stringify(metadata))).toEqual([
    expect.stringContaining('"nginx.ingress.kubernetes.io/enable-access-log":"false"'),
  ])
})

test.each(['nginx.conf', 'site.conf'])('%s logs no path of the gateway', (name) => {
  const text = read(`deploy/nginx/${name}`)
  const locations = [...text.matchAll(/location (\/api\S*) \{([^}]*)\}/g)]
  expect(locations).toHaveLength(1)
  expect(locations[0]?.[2]).toContain('/dev/null crit;')
  expect(`${locations[0]?.[2]} ${text.slice(0, text.indexOf('server {'))}`).toMatch(/access_log +off;/)
})

test('Caddy logs no path or header of a call that it cannot forward', () => {
  const [options = ''] = read('deploy/caddy/Caddyfile').split('app.example')
  expect(options).toMatch(/^\{\s+log \{\s+exclude http\.log\.error http\.handlers\.reverse_proxy\s+\}\s+\}$/m)
})

test('no proxy limits HTTP methods: forms and routes of a fork stay reachable', () => {
  const proxies = globSync('deploy/{nginx,caddy}/*', { cwd: root })
  expect(proxies.filter((path) => /limit_except|\bmethod\b/.test(read(path)))).toEqual([])
})

test('an ingress repeats calls of the gateway, and no sign-in', () => {
  const repeated = ingresses.filter(({ metadata }) => JSON.stringify(metadata).includes('non_idempotent'))
  expect(repeated).toHaveLength(1)
  expect(JSON.stringify(repeated).match(/(?<="path":")[^"]+/g)).toEqual(['/api/rpc'])
})

test('names are resolved wherever the cluster answers them: by a pod, at the node, or at the address of a Service', () => {
  const { egress } = z
    .looseObject({ spec: z.looseObject({ egress: z.array(z.looseObject({ ports: z.unknown() })) }) })
    .parse(find('NetworkPolicy')).spec
  const ports = ['UDP', 'TCP'].map((protocol) => ({ port: 53, protocol }))
  expect(egress.filter((rule) => JSON.stringify(rule).includes('"port":53,'))).toEqual([{ ports }])
})

test('the user is that of the image', () => {
  const [, user] = /^USER (\d+):/m.exec(read('Dockerfile').split('FROM scratch')[1] ?? '') ?? []
  expect(pod.securityContext.runAsUser).toBe(Number(user))
})

test('a chain of quorate.config.ts has the same nodes in the cluster, behind one proxy', () => {
  const file = JSON.parse(read('deploy/kubernetes/base/chains.json')) as typeof defaults
  // A fork may serve other chains from a file of its own.
  const shared = defaults.chains.filter(({ id }) => file.chains.some((chain) => chain.id === id))
  const inCluster = new Map(file.chains.map((chain) => [chain.id, chain]))
  expect(shared.map(({ id }) => inCluster.get(id))).toEqual(shared)
  expect(parseConfig(file, {}).rate?.trustedHops).toBe(1)
})

test('services, monitors and policies select pods that are there, by ports that they have', () => {
  const labelled = manifests
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata }) => `app.kubernetes.io/name: ${metadata.name}`)
  for (const path of globSync('deploy/kubernetes/**/*.yml', { cwd: root })) {
    const names = [...read(path).matchAll(/app\.kubernetes\.io\/name: [\w-]+/g)].map(([label]) => label)
    expect(names.filter((label) => !labelled.includes(label) && !label.endsWith('collector'))).toEqual([])
  }
  expect(read('deploy/kubernetes/overlays/scaled/settings.env')).toContain(
    `REDIS_URL=redis://${find('Service', 'quorate-redis')?.metadata.name}:6379`,
  )
})
