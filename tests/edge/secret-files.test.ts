import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startHost } from '../support/host.ts'

/** Secrets as an orchestrator mounts them, renewed while the Node host runs. */
const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
const path = join(folder, 'operator-token')
afterAll(() => rmSync(folder, { recursive: true }))

test("a new operator's token in its file opens the snapshot and closes it to the old one, without a restart", async () => {
  const [before, after] = ['the-token-of-yesterday', 'the-token-of-today-00']
  writeFileSync(path, `${before}\n`)
  const { host } = await startHost('alone', { env: { OPERATOR_TOKEN_FILE: path } })
  const statusOf = async (token: string) =>
    (await fetch(`${host.url}/api/rpc/snapshot`, { headers: { authorization: `Bearer ${token}` } })).status
  expect([await statusOf(before), await statusOf(after)]).toEqual([200, 401])

  writeFileSync(path, after)
  // Not asked until then: after some wrong tokens the answer is 429.
  await expect.poll(() => host.output()).toContain('"changed":"OPERATOR_TOKEN"')
  expect([await statusOf(after), await statusOf(before)]).toEqual([200, 401])

  // A file that is being written, or a token that is too short, changes nothing.
  writeFileSync(path, 'short')
  await expect.poll(() => host.output()).toContain('secrets refused')
  expect(await statusOf(after)).toBe(200)
  expect(host.output()).toMatch(/"changed":"OPERATOR_TOKEN","nextStart":""/)
  expect(host.output()).not.toContain(after)
  host.signal('SIGKILL')
})
