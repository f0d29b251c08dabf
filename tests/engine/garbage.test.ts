import { describe, expect, test } from 'vitest'
import { Quota } from '#lib/limits/quota.ts'
import { createAdmission } from '../../rpc-proxy/admission/admission.ts'
import { SingleFlight } from '../../rpc-proxy/cache/single-flight.ts'
import { createArchive } from '../../rpc-proxy/ledger/ledger.ts'
import { methodSpec } from '../../rpc-proxy/methods/table.ts'
import { createFairQueue } from '../../rpc-proxy/runtime/fair-slots.ts'
import { evidence, group } from '../support/evidence.ts'
import { growthOf } from '../support/gc.ts'

/**
 * A Map or Set with an insert and a delete per call can retain all entries until the next major collection. Its table is
 * rebuilt every few changes and the old table points to the new one. Once an old table is in the old generation, minor
 * collections treat the whole chain as alive. Under load every request then survives, and each collection copies for 20 ms.
 */
describe('removed entries are freed by minor collections', () => {
  const turns = 3000
  /** The memory that a request holds. A single string would be shared. */
  const load = (index: number) => Array.from({ length: 250 }, (_, at) => index + at)
  const keptMax = (turns * 250 * 4) / 5

  /** Overlapping entries, like requests in flight. */
  const overlapping = (enter: (index: number) => () => void) => {
    const leaves: (() => void)[] = []
    return (index: number) => {
      leaves.push(enter(index))
      if (leaves.length > 16) leaves.shift()?.()
    }
  }

  test('of ended leases', async () => {
    const quota = new Quota({ perCallerMax: 1000, max: 1000 })
    const enter = (index: number) => {
      const carried = load(index)
      const lease = quota.acquire(1, `192.0.2.${index % 250}`, () => carried.length)
      return () => lease?.end()
    }
    expect(await growthOf(turns, overlapping(enter))).toBeLessThan(keptMax)
  })

  test('of answers dropped from the archive', async () => {
    const archive = createArchive({ entriesMax: 50, bytesMax: 1 << 30, ageMaxMs: 1 << 30 })
    const turn = (index: number) =>
      archive.keep(evidence({ id: `id-${index}`, groups: [group(JSON.stringify(load(index)))] }), 0)
    expect(await growthOf(turns, turn)).toBeLessThan(keptMax)
  })

  test('of shared asks', async () => {
    const sharing = new SingleFlight<readonly number[]>(1000)
    const enter = (index: number) => {
      let answer: (value: readonly number[]) => void = () => {}
      const answered = new Promise<readonly number[]>((resolve) => {
        answer = resolve
      })
      const sharer = { signal: () => new AbortController().signal, endMs: 8000, caller: null }
      sharing.joinOrRun(`key ${index}`, sharer, { epoch: 0, run: () => answered })
      const carried = load(index)
      return () => answer(carried)
    }
    const turn = overlapping(enter)
    const growth = await growthOf(turns, async (index) => {
      turn(index)
      await new Promise(setImmediate)
    })
    expect(growth).toBeLessThan(keptMax)
  })

  test('of queued asks', async () => {
    const queue = createFairQueue<{ callers: string[]; readonly carried: readonly number[] }>()
    const turn = (index: number) => {
      queue.add({ callers: [], carried: load(index) }, `caller ${index % 20}`)
      if (queue.size() > 16) queue.next()
    }
    expect(await growthOf(turns, turn)).toBeLessThan(keptMax)
  })

  test('of callers with budgets', async () => {
    const rate = { costPerMinute: 1e9, siteCallsPerSecond: null, trustedHops: 0 }
    const admission = createAdmission(
      { limits: { inFlightMax: 1000 }, rate, methods: { deny: [], contracts: null } },
      { now: () => 0, after: () => () => {} },
    )
    const rule = methodSpec('eth_chainId')
    const callers = Array.from({ length: 20 }, (_, index) => `192.0.2.${index}`)
    const turn = (index: number) => {
      const caller = callers[index % callers.length] as string
      admission.check(caller)
      admission.enter(caller)
      for (let call = 0; call < 10; call++) admission.call(rule, [], caller)
      admission.leave(caller)
    }
    expect(await growthOf(turns, turn)).toBeLessThan(keptMax)
  })
})
