import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../demo/ports.ts'
import { folderForOneFile } from '../support/folder.ts'
import type { Host } from '../support/host.ts'
import { bothGateways, hostsBeforeMadeUpNodes, metricOf, operatorToken } from '../support/hosts.ts'

/** What becomes of the log is not the callers' concern, and an operator learns of it. */
const { start } = hostsBeforeMadeUpNodes()
const folder = folderForOneFile()

const settings = async (more: Readonly<Record<string, string>> = {}) => ({
  env: { OPERATOR_TOKEN: operatorToken, PORT: String(await freePort()), ...more },
})
/** With `debug`, each call is a line of the log. */
const call = async (host: Host) => (await (await host.call()).json()).result
const anyResult = expect.stringMatching(/^0x/)

// A full disk under it: tests/engine/chaos/machine.test.ts.
test.each(bothGateways)(
  '%s answers after the reader of its log has ended, and ends on SIGTERM',
  async (kind) => {
    const host = await start(kind, await settings({ LOG_LEVEL: 'debug' }))
    host.endReader()
    for (let calls = 0; calls < 3; calls += 1) await expect.poll(() => call(host)).toEqual(anyResult)
    if (kind !== 'edge') await expect.poll(() => metricOf(host, 'quorate_log_failing')).toBe(1)
    host.signal('SIGTERM')
    // Next ends with the signal's own number where it has been told to stop.
    expect([0, 143]).toContain(await host.ended)
  },
)

test('a log at its limit of size goes on, once there is room, where it stopped', async () => {
  const path = join(folder, 'full.log')
  const host = await start('alone', {
    ...(await settings({ LOG_LEVEL: 'debug', NODE_DISABLE_COMPILE_CACHE: '1' })),
    into: path,
    ulimit: '-f 1',
  })
  const isFailing = async () => {
    expect(await call(host)).toEqual(anyResult)
    return metricOf(host, 'quorate_log_failing')
  }
  await expect.poll(isFailing, { interval: 1 }).toBe(1)
  const before = readFileSync(path, 'utf8')
  expect(before).toHaveLength(1024)
  truncateSync(path)
  await expect.poll(isFailing).toBe(0)
  host.signal('SIGTERM')
  expect(await host.ended).toBe(0)
  const lines = (before + readFileSync(path, 'utf8')).split('\n').slice(0, -1)
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('event')
})
