import { describe, expect, test } from 'vitest'
import { BeaconApiError, type GetBeacon, noDataText } from '#lib/beacon/beacon-apis.ts'
import { createBeaconFollower } from '#lib/beacon/follow-beacon.ts'
import type { ReachedRoot } from '#lib/beacon/reached-file.ts'
import { blockAt, bootstrapAt, firstSlot, type UpdateOptions, updateAt } from '../../support/beacon-chain.ts'

const slot = firstSlot + 64
const { root, reply: bootstrap } = bootstrapAt(slot)
const genesisMs = 1_606_824_023_000
/** The block that APIs sign as final in most tests. */
const later = bootstrapAt(slot + 160)

/** What one API says; it may change. */
interface Api {
  finality: UpdateOptions
  /** The attested blocks of its updates. */
  updates: readonly UpdateOptions[]
  fault?: string | undefined
  bootstrap?: unknown
}
const apiAt = (finalized: number): Api => ({
  finality: { attested: finalized + 72, finalized },
  updates: [{ attested: slot + 200, finalized: slot + 128 }],
})

/** `reached`: what was written down before a restart. `roots`: the blocks that APIs keep. */
function followerOf(
  apis: readonly Api[] = [apiAt(slot + 128), apiAt(slot + 160)],
  { reached = null as string | null, roots = [root], hasFile = true } = {},
) {
  const asks: string[] = []
  const file = { root: reached, writes: 0, fault: null as string | null }
  const clock = { slot: firstSlot + 400 }
  const get: GetBeacon = async (url, path, shape) => {
    const api = apis[Number(url)] as Api
    const asked = path.split('/').at(-1) as string
    asks.push(`${url} ${asked.split('?')[0]}`.replace(root, 'bootstrap'))
    if (api.fault !== undefined) throw new BeaconApiError(api.fault)
    if (path.includes('bootstrap')) {
      if (!roots.includes(asked)) throw new BeaconApiError(noDataText)
      return shape.parse(api.bootstrap ?? (asked === root ? bootstrap : later.reply))
    }
    if (path.includes('finality_update')) return shape.parse(updateAt(api.finality))
    return shape.parse(api.updates.map(updateAt))
  }
  const now = () => genesisMs + clock.slot * 12_000
  const urls = apis.map((_, index) => String(index))
  const written: ReachedRoot = {
    read: () => file.root,
    write(reached) {
      file.writes += 1
      if (file.fault === null) file.root = reached
      return file.fault
    },
  }
  const ports = { get, now, ...(hasFile && { reached: written }) }
  return { ...createBeaconFollower({ urls, checkpoint: root }, ports), apis, asks, clock, file }
}

describe('the light client of several beacon APIs', () => {
  test('asks each for finality alone, once it knows the next committee', async () => {
    const { look, asks } = followerOf()
    await look()
    asks.splice(0)
    await look()
    expect(asks).toEqual(['0 finality_update', '1 finality_update'])
  })

  test('goes on with one while another is down, says which, and of which time the signed block is', async () => {
    const { look, apis } = followerOf()
    const [down] = apis as [Api]
    down.fault = 'it cannot be reached'
    const signed = { block: blockAt(slot + 160), timeMs: genesisMs + (slot + 160) * 12_000 }
    expect(await look()).toEqual({ ...signed, faults: ['beacon API 1: it cannot be reached'] })
    delete down.fault
    expect(await look()).toEqual({ ...signed, faults: [] })
  })

  test('holds on to what was signed while all are down', async () => {
    const { look, apis } = followerOf()
    await look()
    for (const api of apis) api.fault = 'it cannot be reached'
    expect(await look()).toMatchObject({ block: blockAt(slot + 160), faults: { length: 2 } })
  })

  const old = expect.stringContaining('two weeks')

  test('does not warn of an old checkpoint if a restart begins at a saved block', async () => {
    const { look, clock } = followerOf()
    await look()
    clock.slot = slot + 160 + 14 * 7200
    expect((await look()).faults).not.toContainEqual(old)
  })

  test('warns where it begins at a checkpoint older than two weeks, though it saves what it reaches', async () => {
    const { look, clock } = followerOf()
    clock.slot = slot + 14 * 7200 + 1
    for (let turn = 0; turn < 2; turn += 1) expect((await look()).faults).toContainEqual(old)
  })

  test('warns of a checkpoint older than two weeks', async () => {
    const { look, clock } = followerOf(undefined, { hasFile: false })
    await look()
    clock.slot = slot + 14 * 7200
    expect((await look()).faults).not.toContainEqual(old)
    clock.slot += 1
    expect((await look()).faults).toContainEqual(old)
  })

  test('says that no API keeps the checkpoint, rather than a status', async () => {
    const { look, apis } = followerOf()
    for (const api of apis) api.fault = noDataText
    const faults = [expect.stringContaining('no beacon API keeps')]
    expect(await look()).toMatchObject({ block: null, faults })
  })

  test('begins as soon as one of them replies', async () => {
    const { look, apis } = followerOf()
    for (const api of apis) api.fault = 'it cannot be reached'
    expect(await look()).toMatchObject({ block: null, faults: { length: 2 } })
    delete apis[0]?.fault
    expect(await look()).toMatchObject({ block: blockAt(slot + 128), faults: { length: 1 } })
  })

  test('uses nothing more where they show two blocks of one number that are both signed', async () => {
    const other = apiAt(slot + 160)
    other.finality = { ...other.finality, branch: ' of liars' }
    const { look } = followerOf([apiAt(slot + 160), other])
    const faults = [expect.stringContaining('two blocks of one number')]
    for (let turn = 0; turn < 2; turn += 1)
      expect(await look()).toEqual({ block: null, timeMs: null, faults })
  })

  test('catches up over months of committees', async () => {
    const [second, third] = [1, 2].map((periods) => firstSlot + periods * 8192 + 100) as [number, number]
    const attested = [slot + 200, second + 96, third + 96]
    const updates = attested.map((at) => ({ attested: at, finalized: at - 96 }))
    const api = { finality: { attested: third + 300, finalized: third + 224 }, updates }
    const { look, clock } = followerOf([api, api])
    clock.slot = third + 400
    expect(await look()).toMatchObject({ block: blockAt(third + 224), faults: [] })
  })

  test('goes on after a restart where it was, though no API keeps the checkpoint any more', async () => {
    const apis = [apiAt(slot + 160), apiAt(slot + 160)]
    const before = followerOf(apis)
    await before.look()
    const { look, asks, clock } = followerOf(apis, { reached: before.file.root, roots: [later.root] })
    // And is as young as what was reached.
    clock.slot = slot + 14 * 7200 + 100
    expect(await look()).toMatchObject({ block: blockAt(slot + 160), faults: [] })
    expect(asks.filter((ask) => ask.endsWith('bootstrap'))).toEqual([])
  })

  test.each([
    ['is kept by no API any more', later.root],
    ['is of no chain', `0x${'ab'.repeat(32)}`],
  ])('begins at the checkpoint again where what it had reached %s', async (_, reached) => {
    const { look, file } = followerOf(undefined, { reached })
    expect(await look()).toMatchObject({ block: blockAt(slot + 160), faults: [] })
    expect(file.root).toBe(later.root)
  })

  test('writes down each block once, and says so where it cannot', async () => {
    const { look, file } = followerOf()
    file.fault = 'it cannot be written: ENOSPC'
    expect((await look()).faults).toEqual([file.fault])
    file.fault = null
    expect((await look()).faults).toEqual([])
    await look()
    expect([file.root, file.writes]).toEqual([later.root, 2])
  })
})
