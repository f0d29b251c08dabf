import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from './chains.ts'
import { type Engine, project } from './engine.ts'
import { awaited } from './shell.ts'

const root = join(import.meta.dirname, '../..')
const deploy = join(root, 'deploy')

const certificate = `mkdir -p /etc/ssl/app.example && cd /etc/ssl/app.example &&
  openssl req -x509 -newkey rsa:2048 -nodes -keyout privkey.pem -out fullchain.pem -subj /CN=app.example 2>/dev/null`

/** The example reverse proxies in front of the app: nginx with its own certificate, Caddy without one. */
const sites = {
  'nginx:1.28.0': `${certificate} &&
    sed s/127.0.0.1:3000/app:3000/ /deploy/nginx/site.conf > /tmp/site.conf &&
    printf 'events {} http { include /tmp/site.conf; }' > /tmp/nginx.conf && nginx -c /tmp/nginx.conf &&
    curl -fsSk --retry 5 --retry-connrefused --resolve app.example:443:127.0.0.1 https://app.example/api/rpc/ready &&
    curl -fsSk --resolve app.example:443:127.0.0.1 https://app.example/ | grep -o -m 1 Polygon`,
  'caddy:2.10.0': `caddy validate --config /deploy/caddy/Caddyfile &&
    sed 's/^app.example/http:\\/\\/127.0.0.1:8081/; s/127.0.0.1:3000/app:3000/' /deploy/caddy/Caddyfile > /tmp/Caddyfile &&
    caddy start --config /tmp/Caddyfile && wget -q -O - http://127.0.0.1:8081/api/rpc/ready &&
    wget -q -O - http://127.0.0.1:8081/ | grep -o -m 1 Polygon`,
}

/** Each example serves the page and the gateway behind it. */
export async function sitesServe({ docker }: Engine): Promise<string> {
  const mounts = ['-v', `${deploy}:/deploy:ro`, '--tmpfs', '/tmp']
  const serve = ([image, script]: readonly [string, string]) =>
    docker([
      ...['run', '--rm', '--user', '0', '--network', `${project}_default`, ...mounts],
      ...['--entrypoint', 'sh', image, '-c', script],
    ])
  const words = await Promise.all(Object.entries(sites).map(serve))
  // Caddy may log afterwards that grep has not read all of the page.
  for (const text of words) if (!/Polygon$/m.test(text)) throw new Error(text)
  return Object.keys(sites).join(', ')
}

/** Validates rules and routes with the programs that use them. */
export async function configurationHolds({ docker }: Engine): Promise<string> {
  const tool = (image: string, program: string, ...args: string[]) =>
    docker([...['run', '--rm', '-v', `${deploy}:/deploy:ro`, '--entrypoint', program, image], ...args])
  await tool('prom/prometheus:v3.5.0', 'promtool', 'test', 'rules', '/deploy/prometheus/alerts.test.yml')
  await tool('prom/alertmanager:v0.28.1', 'amtool', 'check-config', '/deploy/alertmanager/alertmanager.yml')
  return 'rules and routes hold'
}

interface Panel {
  readonly title: string
  readonly type: string
  readonly targets: readonly { readonly expr: string }[]
}
type Dashboard = { readonly title: string; readonly panels: readonly Panel[] }
type Result = { readonly data: { readonly result: readonly unknown[] } }

/** Runs the queries of each panel for all chains and nodes; returns panels without data, of which a healthy stack has a few. */
export async function panelsDraw(origin: string): Promise<string> {
  const folder = join(deploy, 'grafana/dashboards')
  const reported: string[] = []
  for (const file of readdirSync(folder).toSorted()) {
    const { title, panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Dashboard
    const empty = await awaited(`panels of ${title} with data`, async () => {
      const without = await emptyOf(panels, origin)
      if (without.length > emptyMax) throw new Error(`nothing to show in ${without.join(', ')}`)
      return without
    })
    reported.push(`${title}: ${panels.length} panels, nothing to show in ${empty.join(', ') || 'none'}`)
  }
  if (reported.length < 2) throw new Error('a dashboard is missing')
  return reported.join('; ')
}
/** Maximum number of panels without data: a healthy stack has no stalls, rate limits or refusals. */
const emptyMax = 2

/** A dashboard's choice of 1d, 7d or 30d. */
const range = '$' + '{range}'

async function emptyOf(panels: readonly Panel[], origin: string): Promise<readonly string[]> {
  const empty: string[] = []
  for (const { title, type, targets } of panels) {
    const without: string[] = []
    for (const { expr } of targets) {
      const query = expr.replaceAll(/\$(chain|node|replica)/g, '.*').replaceAll(range, '1d')
      const { data } = await json<Result>(`${origin}/api/v1/query?query=${encodeURIComponent(query)}`)
      if (data.result.length === 0) without.push(title)
    }
    // A table has a column for what may not have happened, such as a dissent.
    empty.push(...(type !== 'table' || without.length === targets.length ? without : []))
  }
  return empty
}
