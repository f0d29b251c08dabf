import { readFileSync } from 'node:fs'
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
  const env = parseEnv({ OPERATOR_TOKEN: '', PORT: ' ', RPC_CONFIG: '' })
  expect(env).toMatchObject({
    PORT: 3000,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    DEMO: false,
    OPERATOR_OPEN: false,
  })
  expect(env.OPERATOR_TOKEN).toBe(undefined)
  expect(env.RPC_ALLOWED_ORIGINS).toEqual([])
})

test('idle connections are kept longer than load balancers keep them, and for as long as it is told', () => {
  // Google's keep them for 600 s, the longest of those that are in common use.
  expect(parseEnv({}).KEEP_ALIVE_MS).toBeGreaterThan(600_000)
  expect([parseEnv({ KEEP_ALIVE_MS: '1000' }).KEEP_ALIVE_MS, faultsOf({ KEEP_ALIVE_MS: '999' })]).toEqual([
    1000,
    ['KEEP_ALIVE_MS must be an integer in [1000, 3600000]'],
  ])
  expect(faultsOf({ KEEP_ALIVE_MS: '3600001' })).toHaveLength(1)
})

test('HOSTNAME is not read: Docker sets it to the container id', () => {
  expect(parseEnv({ HOSTNAME: 'abc' }).HOST).toBe('127.0.0.1')
})

test('lists all errors at once, by name and without values', () => {
  const faults = faultsOf({
    PORT: '70000',
    OPERATOR_TOKEN: 'short-secret',
    SESSION_SECRET: 'secret',
    APP_ORIGIN: 'https://app.example/path',
    RPC_CONFIG: '{"secret"',
    LOG_LEVEL: 'loud',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    RPC_ALLOWED_ORIGINS: 'https://ok.example, https://secret.example/path',
    DEMO: 'yes',
  })
  expect(faults.map((fault) => fault.split(' ')[0]).toSorted()).toEqual([
    'APP_ORIGIN',
    'DEMO',
    'LOG_LEVEL',
    'OPERATOR_TOKEN',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'PORT',
    'RPC_ALLOWED_ORIGINS',
    'RPC_CONFIG',
    'SESSION_SECRET',
  ])
  expect(faults.join()).not.toMatch(/secret|70000|loud/)
})

test.each([
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
  const env = parseEnv({
    APP_ORIGIN: 'https://App.example/',
    RPC_ALLOWED_ORIGINS: 'https://a.example,http://b.example:81',
  })
  expect(env.APP_ORIGIN).toBe('https://app.example')
  expect(env.RPC_ALLOWED_ORIGINS).toEqual(['https://a.example', 'http://b.example:81'])
})

test('a list of origins may include extensions, apps with a scheme of their own, and *', () => {
  const listed = (text: string) => parseEnv({ RPC_ALLOWED_ORIGINS: text }).RPC_ALLOWED_ORIGINS
  expect(listed('*')).toEqual(['*'])
  expect(listed('chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn, https://a.example')).toEqual([
    'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
    'https://a.example',
  ])
  const apps = ['tauri://localhost', 'capacitor://localhost', 'ionic://localhost', 'app://.', 'x-app://a:1']
  expect(listed(apps.join())).toEqual(apps)
  expect(listed('Capacitor://LocalHost')).toEqual(['capacitor://localhost'])
  for (const none of [
    'tauri://',
    'tauri:localhost',
    'tauri://localhost/path',
    'file://x',
    'null',
    'javascript:1',
  ])
    expect(faultsOf({ RPC_ALLOWED_ORIGINS: none })).toHaveLength(1)
  expect(faultsOf({ RPC_ALLOWED_ORIGINS: 'chrome-extension://a/b' })).toHaveLength(1)
  expect(faultsOf({ RPC_ALLOWED_ORIGINS: 'https://*.example' })).toHaveLength(1)
})

test('.env.example lists every variable, all unset', () => {
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const source = readFileSync(new URL('../../../lib/config/env.ts', import.meta.url), 'utf8')
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(15)
  for (const name of names) expect(example).toMatch(new RegExp(`^#? ?${name}=`, 'm'))
  expect(
    faultsOf(
      Object.fromEntries(
        [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
      ),
    ),
  ).toEqual([])
})
