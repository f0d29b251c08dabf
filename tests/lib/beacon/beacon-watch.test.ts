import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createBeaconWatch } from '#lib/beacon/beacon-watch.ts'
import { parseConfig, type SignedFinality } from '#rpc-proxy'
import { blockAt, bootstrapAt, firstSlot, updateAt } from '../../support/beacon-chain.ts'
import { folderForOneTest } from '../../support/folder.ts'
import { serveForOneTest } from '../../support/serve.ts'

const slot = firstSlot + 64
const { root, reply } = bootstrapAt(slot)
const finalized = slot + 128
const update = updateAt({ attested: slot + 200, finalized })

const configOf = (beacon: object | null) =>
  parseConfig({ chains: [{ id: 1, beacon, nodes: [{ name: 'a', url: 'http://a.test' }] }] }, {})

/** What the committee signed was signed months ago. */
const expectedFaults = [
  expect.stringContaining('two weeks'),
  'beacon API 2: it cannot be reached',
  expect.stringContaining('for an hour'),
]

test('a thread of its own tells the engine what the committee has signed, and which API does not reply', async () => {
  const signed: SignedFinality[] = []
  const faults: (readonly string[])[] = []
  const gateway = { sign: (_: number, finality: SignedFinality) => void signed.push(finality) }
  const onFaults = (now: readonly string[]) => faults.push(now)
  const watch = createBeaconWatch({ gateway, proxies: null, onFaults, everyMs: 50 })
  const url = await serveForOneTest(({ url: path = '' }, response) => {
    const body = path.includes('bootstrap') ? reply : path.includes('updates') ? [update] : update
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  const file = join(folderForOneTest(), 'beacon.json')
  const beacon = { urls: [url, 'http://127.0.0.1:1'], checkpoint: root, file }
  watch.apply(configOf(beacon))
  const block = blockAt(finalized)
  await expect.poll(() => signed.at(-1)).toMatchObject({ block, faults: expectedFaults })
  expect(faults.at(-1)).toEqual(expectedFaults)
  expect(signed[0]).toEqual({ block: null, timeMs: null, faults: [] })
  const written = { checkpoint: root, reached: bootstrapAt(finalized).root }
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(written)

  // After a reload of the same configuration, the signed block is passed on again at once.
  const before = signed.length
  watch.apply(configOf(beacon))
  expect(signed.slice(before)).toMatchObject([{ block, faults: expectedFaults }])
  watch.apply(configOf(null))
  await watch.stop()
})
