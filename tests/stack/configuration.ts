import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { json } from './chains.ts'
import type { Engine } from './engine.ts'

const root = join(import.meta.dirname, '../..')
const deploy = join(root, 'deploy')

/** A certificate of its own for the site of the example, and nginx's word on it. */
const siteTest = `
  mkdir -p /etc/ssl/app.example && cd /etc/ssl/app.example &&
  openssl req -x509 -newkey rsa:2048 -nodes -keyout privkey.pem -out fullchain.pem -subj /CN=app.example 2>/dev/null &&
  printf 'events {} http { include /deploy/nginx/site.conf; }' > /tmp/nginx.conf && nginx -t -c /tmp/nginx.conf`

/** Rules, routes and the example of a site, read by the programs that will use them. */
export async function configurationHolds({ docker }: Engine): Promise<string> {
  const tool = (image: string, program: string, ...args: string[]) =>
    docker([
      'run',
      '--rm',
      '--user',
      '0',
      '-v',
      `${deploy}:/deploy:ro`,
      '--entrypoint',
      program,
      image,
      ...args,
    ])
  await tool('prom/prometheus:v3.5.0', 'promtool', 'test', 'rules', '/deploy/prometheus/alerts.test.yml')
  await tool('prom/alertmanager:v0.28.1', 'amtool', 'check-config', '/deploy/alertmanager/alertmanager.yml')
  await tool('nginx:1.28.0', 'sh', '-c', siteTest)
  const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8')
  const alerts = readFileSync(join(deploy, 'prometheus/alerts.yml'), 'utf8')
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name ?? '')
  const unexplained = names.filter((name) => !runbook.includes(`\n## ${name}\n`))
  if (names.length === 0 || unexplained.length > 0)
    throw new Error(`not in the runbook: ${unexplained.join(', ')}`)
  return `${names.length} alerts, each with a section in the runbook`
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets: readonly { readonly expr: string }[]
  }[]
}
interface Result {
  readonly data: { readonly result: readonly unknown[] }
}

/** Runs each panel's queries; names the panels that have nothing to show, of which a healthy stack has a few. */
export async function panelsDraw(): Promise<string> {
  const { panels } = JSON.parse(
    readFileSync(join(deploy, 'grafana/dashboards/quorate.json'), 'utf8'),
  ) as Dashboard
  const empty: string[] = []
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      const url = `http://127.0.0.1:9090/api/v1/query?query=${encodeURIComponent(expr)}`
      if ((await json<Result>(url)).data.result.length === 0) empty.push(title)
    }
  if (empty.length > 2) throw new Error(`nothing to show in ${empty.join(', ')}`)
  return `${panels.length} panels; nothing to show in ${empty.join(', ') || 'none'}`
}
