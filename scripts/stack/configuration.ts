import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps.ts'

/** What the containers call each other, and where that is on one machine. */
const addresses: readonly (readonly [string | RegExp, string])[] = [
  ['http://chains:', 'http://127.0.0.1:'],
  ['gateway-1:3000', '127.0.0.1:3101'],
  ['gateway-2:3000', '127.0.0.1:3102'],
  ['alertmanager:9093', '127.0.0.1:9093'],
  // Names that only Docker's resolver knows; each target says its own.
  [
    /dns_sd_configs:.*\n.*relabel_configs:.*/,
    'static_configs: [{ targets: ["127.0.0.1:3000", "127.0.0.1:3101", "127.0.0.1:3102"] }]',
  ],
  // There is no collector here.
  [/\n {2}- job_name: otel-collector\n.*/, ''],
]

const files = [
  'chains.json',
  'nginx/nginx.conf',
  'alertmanager/alertmanager.yml',
  'prometheus/prometheus.yml',
  'prometheus/rules.yml',
  'prometheus/alerts.yml',
]

/** Writes the files of `deploy/` with this machine's addresses to an empty folder; returns the path of one of them there. */
export function writeConfiguration(folder: string, operatorToken: string): (file: string) => string {
  const at = (file: string) => join(folder, file)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const part of ['nginx', 'alertmanager', 'prometheus']) mkdirSync(at(part))
  writeFileSync(at('operator-token'), operatorToken, { mode: 0o600 })
  for (const file of files)
    writeFileSync(at(file), translated(readFileSync(join(root, 'deploy', file), 'utf8')))
  return at

  function translated(text: string): string {
    const local = addresses.reduce((changed, [from, to]) => changed.replaceAll(global(from), to), text)
    return local.replace('/tmp/operator-token', at('operator-token'))
  }
}

function global(from: string | RegExp): string | RegExp {
  return typeof from === 'string' ? from : new RegExp(from.source, 'g')
}
