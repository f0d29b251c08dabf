import { readFileSync } from 'node:fs'
import { parseEnv as parse } from 'node:util'
import { expect, test } from 'vitest'
import { EnvError, parseEnv } from '#lib/config/env.ts'

const faultsOf = (source: Record<string, string>): readonly string[] => {
  try {
    parseEnv(source)
    return []
  } catch (cause) {
    return cause instanceof EnvError ? cause.faults : [String(cause)]
  }
}

test('every variable is optional, and an empty one counts as absent', () => {
  // HOSTNAME is not HOST: Docker sets it to the id of the container.
  const env = parseEnv({ OPERATOR_TOKEN: '', PORT: ' ', RPC_CONFIG: '', HOSTNAME: 'abc' })
  const usual = { PORT: 3000, HOST: '127.0.0.1', LOG_LEVEL: 'info', DEMO: false, OPERATOR_OPEN: false }
  expect(env).toMatchObject({ ...usual, RPC_ALLOWED_ORIGINS: [] })
  expect(env.OPERATOR_TOKEN).toBe(undefined)
})

test('idle connections are kept longer than load balancers keep them, and for as long as it is told', () => {
  // Google's keep them for 600 s, the longest of those that are in common use.
  expect(parseEnv({}).KEEP_ALIVE_MS).toBeGreaterThan(600_000)
  expect(parseEnv({ KEEP_ALIVE_MS: '1000' }).KEEP_ALIVE_MS).toBe(1000)
})

test('lists all errors at once, by name and without values', () => {
  const source = {
    PORT: '70000',
    OPERATOR_TOKEN: 'short-secret',
    SESSION_SECRET: 'secret',
    APP_ORIGIN: 'https://app.example/path',
    RPC_CONFIG: '{"secret"',
    LOG_LEVEL: 'loud',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    RPC_ALLOWED_ORIGINS: 'https://ok.example, https://secret.example/path',
    DEMO: 'yes',
  }
  const faults = faultsOf(source)
  expect(faults.map((fault) => fault.split(' ')[0]).toSorted()).toEqual(Object.keys(source).toSorted())
  expect(faults.join()).not.toMatch(/secret|70000|loud/)
})

test.each([
  ['KEEP_ALIVE_MS', '3600000', []],
  ['KEEP_ALIVE_MS', '3600001', ['KEEP_ALIVE_MS must be an integer in [1000, 3600000]']],
  ['KEEP_ALIVE_MS', '999', ['KEEP_ALIVE_MS must be an integer in [1000, 3600000]']],
  ['PORT', '65535', []],
  ['PORT', '65536', ['PORT must be an integer in [0, 65535]']],
  ['PORT', '-1', ['PORT must be an integer in [0, 65535]']],
  ['OPERATOR_TOKEN', 'x'.repeat(16), []],
  ['OPERATOR_TOKEN', 'x'.repeat(15), ['OPERATOR_TOKEN must be at least 16 characters']],
  ['SESSION_SECRET', 'x'.repeat(32), []],
  ['SESSION_SECRET', 'x'.repeat(31), ['SESSION_SECRET must be at least 32 characters']],
  ['SIGNING_KEY', 'A1'.repeat(32), []],
  ['SIGNING_KEY', 'a1'.repeat(31), ['SIGNING_KEY must be 32 bytes in hex']],
  ['OTEL_TRACES_SAMPLER_ARG', '0.25', []],
  ['OTEL_TRACES_SAMPLER_ARG', '1.1', ['OTEL_TRACES_SAMPLER_ARG must be a number in [0, 1]']],
])('%s=%s', (name, value, faults) => {
  expect(faultsOf({ [name]: value })).toEqual(faults)
})

test('refuses two configurations at once, and a demo control outside the demo', () => {
  expect(faultsOf({ RPC_CONFIG: '{}', RPC_CONFIG_FILE: '/x' })).toEqual([
    'RPC_CONFIG and RPC_CONFIG_FILE are both set; give one',
  ])
  expect(faultsOf({ DEMO_CONTROL_URL: 'http://127.0.0.1:1' })).toEqual(['DEMO_CONTROL_URL needs DEMO=1'])
})

test('origins are accepted as browsers send them', () => {
  expect(parseEnv({ APP_ORIGIN: 'https://App.example/' }).APP_ORIGIN).toBe('https://app.example')
})

test.each([
  ['pages', 'https://a.example', 'http://b.example:81'],
  ['everybody', '*'],
  ['extensions', 'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', 'https://a.example'],
  ['apps', 'tauri://localhost', 'capacitor://localhost', 'ionic://localhost', 'app://.', 'x-app://a:1'],
])('a list of origins may have %s', (_, ...origins) => {
  const listed = (text: string) => parseEnv({ RPC_ALLOWED_ORIGINS: text }).RPC_ALLOWED_ORIGINS
  expect(listed(origins.join())).toEqual(origins)
  expect(listed(origins.join(', ').toUpperCase())).toEqual(origins)
})

test.each([
  ['an address', 'tauri://', 'tauri:localhost', 'null', 'javascript:1'],
  ['no path', 'tauri://localhost/path', 'chrome-extension://a/b'],
  ['a site that can be told from others', 'file://x', 'https://*.example'],
])('an origin of the list is %s', (_, ...others) => {
  for (const origin of others) expect(faultsOf({ RPC_ALLOWED_ORIGINS: origin }), origin).toHaveLength(1)
})

test('.env.example lists every variable, all unset', () => {
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const source = readFileSync(new URL('../../../lib/config/env.ts', import.meta.url), 'utf8')
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(15)
  for (const name of names) expect(example).toMatch(new RegExp(`^#? ?${name}=`, 'm'))
  expect(faultsOf(parse(example) as Record<string, string>)).toEqual([])
})
