import { beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../demo/ports.ts'
import { failureTexts } from '../../lib/page/texts/chain.ts'
import { signInTexts } from '../../lib/page/texts/sign-in.ts'
import { visitor } from '../lib/sign-in/support.ts'
import { type Host, run } from '../support/host.ts'
import { hostsBeforeMadeUpNodes, pairOf } from '../support/hosts.ts'
import { configOf } from '../support/made-up-nodes.ts'
import { signedMessage } from '../support/signed-message.ts'

/** Where pages find the gateway, and what a visitor is told where they do not. */
const { start, nodesOf } = hostsBeforeMadeUpNodes()

/** As on a platform of functions: nothing listens at the address that the app takes for its own. */
const nothingListens = { HOST: '::1' }
const page = async (host: Host, path: string, cookie = '') =>
  (await host.get(path, { accept: 'text/html', cookie })).text()
const linesOf = (host: Host, event: string) => host.output().split(`"event":"${event}"`).length - 1

async function startAt(kind: Host['kind'], env: Readonly<Record<string, string>>): Promise<Host> {
  const PORT = String(await freePort())
  const APP_ORIGIN = `http://127.0.0.1:${PORT}`
  return start(kind, { env: { APP_ORIGIN, PORT, ...env } })
}

/** The cookie of a new session. */
async function signIn(host: Host): Promise<string> {
  const site = { domain: `127.0.0.1:${host.port}`, uri: host.url }
  const { cookie, body } = await signedMessage(host, site)
  const verified = await host.post('/api/auth/verify', body, { cookie })
  expect(verified.status).toBe(200)
  return pairOf(verified)
}

describe.each([
  ['node', {}],
  ['edge', nothingListens],
] as const)('%s', (kind, env) => {
  let host: Host
  beforeAll(async () => {
    host = await startAt(kind, env)
  })

  test('pages find this app by APP_ORIGIN, sessions too; a sign-in that the server has lost ends with a sentence, not with another', async () => {
    expect(await page(host, '/')).not.toContain(failureTexts.unreachable)
    const cookie = await signIn(host)
    expect(await page(host, '/account', cookie)).toContain(visitor.address)
    expect(linesOf(host, 'gateway-unreachable')).toBe(0)
    // What another isolate would know of it: nothing.
    const ended = await fetch(`${host.url}/api/auth/session`, { method: 'DELETE', headers: { cookie } })
    expect(ended.ok).toBe(true)
    const refused = await page(host, '/account', cookie)
    expect(refused).toContain(signInTexts.lost)
    expect(refused).not.toContain('data-sign-in')
    expect(linesOf(host, 'session-lost')).toBe(1)
    expect(await page(host, '/sign-in')).toContain('data-sign-in')
  })
})

test('where nothing answers at all, pages say so, the log says so once, and nobody is sent to sign in again', async () => {
  const host = await startAt('edge', { ...nothingListens, APP_ORIGIN: '' })
  for (let loads = 0; loads < 3; loads += 1) expect(await page(host, '/')).toContain(failureTexts.unreachable)
  expect(linesOf(host, 'gateway-unreachable')).toBe(1)
  const refused = await page(host, '/account', 'quorate-session=any')
  expect(refused).toContain(signInTexts.unavailable)
  expect(refused).not.toContain('data-sign-in')
  expect(linesOf(host, 'session-unavailable')).toBe(1)
})

test.each(['::', '[::]'])('with HOST=%s a host serves IPv4 and IPv6', async (HOST) => {
  const PORT = String(await freePort())
  const { child } = run('alone', { config: configOf(nodesOf()), env: { HOST, PORT } })
  const statusAt = (address: string) =>
    fetch(`http://${address}:${PORT}/api/rpc/live`).then(
      ({ status }) => status,
      () => null,
    )
  await expect.poll(() => statusAt('127.0.0.1')).toBe(200)
  expect(await statusAt('[::1]')).toBe(200)
  child.kill('SIGKILL')
})
