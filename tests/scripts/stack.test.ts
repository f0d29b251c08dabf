import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeConfiguration } from '../../scripts/stack/configuration.ts'

const folder = join(mkdtempSync(join(tmpdir(), 'stack-')), 'configuration')
const at = writeConfiguration(folder, 'a-token-of-sixteen')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
  statSync(at(file)).isFile(),
)

test('no file of the container-free stack names a container', () => {
  const names =
    /\b(?:chains|app|gateway-[12]|alertmanager|otel-collector|jaeger):\d|dns_sd_configs|__meta_dns/
  const settings = (file: string) => readFileSync(at(file), 'utf8').replaceAll(/^\s*#.*$/gm, '')
  expect(files.filter((file) => names.test(settings(file)))).toEqual([])
  expect(settings('nginx/nginx.conf')).toContain('server 127.0.0.1:3101')
  expect(settings('prometheus/prometheus.yml')).toContain('"127.0.0.1:3000"')
})

test('Prometheus reads the token from a private file', () => {
  expect(readFileSync(at('prometheus/prometheus.yml'), 'utf8')).toContain(at('operator-token'))
  expect(statSync(at('operator-token')).mode & 0o777).toBe(0o600)
})
