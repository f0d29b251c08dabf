import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { fakeChain, withFilter, world } from './world.ts'

describe('a filter of logs', () => {
  test('with a block range reports the logs in that range', async () => {
    const { changes, grow } = await withFilter({ fromBlock: '0x67', toBlock: '0x68' })
    grow(102)
    expect(await changes()).toEqual([])
    grow(104)
    expect(await changes()).toEqual(['+a103', '+a104'])
    grow(106)
    expect(await changes()).toEqual([])
  })

  test('with a past fromBlock reports only new logs; eth_getFilterLogs returns all of them', async () => {
    const { ask, changes, grow, id } = await withFilter({ fromBlock: '0x62' })
    grow(101)
    expect(await changes()).toEqual(['+a101'])
    const logs = await ask('eth_getFilterLogs', id)
    expect(logs.map(({ data }: { data: string }) => data)).toEqual(['0xa98', '0xa99', '0xa100', '0xa101'])
  })

  test('asks only for its addresses and topics', async () => {
    const what = { address: `0x${'aa'.repeat(20)}`, topics: [null, `0x${'bb'.repeat(32)}`] }
    const { filters, chain, grow, id } = await withFilter(what)
    const logs = vi.spyOn(chain, 'logs')
    grow(101)
    const { evidence } = await filters.call('eth_getFilterChanges', [id], chain)
    expect(logs.mock.calls).toEqual([[{ ...what, fromBlock: '0x65', toBlock: '0x65' }]])
    expect(evidence?.id).toBe('101-101')
  })

  test('a poll that fails loses nothing', async () => {
    const { changes, grow, hooks } = await withFilter()
    grow(101)
    hooks.failLogs = true
    await expect(changes()).rejects.toMatchObject({ kind: 'no-quorum' })
    hooks.failLogs = false
    expect(await changes()).toEqual(['+a101'])
  })

  test('does not move past new blocks while their logs are uncertain', async () => {
    const { changes, grow, hooks, asked } = await withFilter()
    hooks.isSure = false
    grow(101)
    expect(await changes()).toEqual([])
    grow(104)
    expect(await changes()).toEqual(['+a101', '+a102'])
    hooks.isSure = true
    expect(await changes()).toEqual(['+a103', '+a104'])
    expect(asked).toEqual(['101-101', '101-104', '101-102', '103-104'])
  })

  test('two concurrent polls do not report a log twice', async () => {
    const { changes, grow } = await withFilter()
    grow(102)
    const reported = await Promise.all([changes(), changes()])
    expect(reported.flat()).toEqual(['+a101', '+a102'])
  })
})

describe('after a reorg', () => {
  test('below the block of the filter’s creation', async () => {
    const { changes, grow, cut } = await withFilter()
    grow(101)
    await changes()
    cut(98)
    grow(102, { branch: 'b' })
    expect(await changes()).toEqual(['-a101', '+b100', '+b101', '+b102'])
  })

  test('far below all that was reported, as of a chain that was reset', async () => {
    const { changes, grow, cut } = await withFilter()
    grow(101)
    await changes()
    cut(3)
    expect(await changes()).toEqual(['-a101'])
    grow(4, { branch: 'b' })
    expect(await changes()).toEqual(['+b4'])
  })

  test('during a poll, the poll starts again', async () => {
    const { changes, grow, cut, hooks } = await withFilter()
    grow(102)
    hooks.afterLogs = () => {
      hooks.afterLogs = () => {}
      cut(101)
      grow(102, { branch: 'b' })
    }
    expect(await changes()).toEqual(['+a101', '+b102'])
  })

  test('while reorgs continue, nothing is reported and nothing is lost', async () => {
    const { changes, grow, cut, hooks } = await withFilter()
    grow(101)
    let turn = 0
    hooks.afterLogs = () => {
      cut(100)
      grow(101, { branch: `b${turn++}` })
    }
    expect(await changes()).toEqual([])
    hooks.afterLogs = () => {}
    expect(await changes()).toEqual(['+b2101'])
  })
})

describe('a filter of blocks', () => {
  test('waits for a block that no node has yet', async () => {
    const { ask, changes, grow, hooks } = world()
    const id = await ask('eth_newBlockFilter')
    grow(103)
    hooks.unknown.add(102)
    await expect(changes(id)).rejects.toMatchObject({ kind: 'block-not-found' })
    hooks.unknown.clear()
    expect(await changes(id)).toEqual(['a101', 'a102', 'a103'])
  })

  test('has no logs', async () => {
    const { ask } = world()
    const id = await ask('eth_newBlockFilter')
    await expect(ask('eth_getFilterLogs', id)).rejects.toMatchObject({ kind: 'filter-not-found' })
  })
})

describe('the lifetime of a filter', () => {
  const minutesMs = 60_000
  const notFound = { kind: 'filter-not-found', error: { code: -32000, message: 'filter not found' } }

  test('it expires five minutes after its last use', async () => {
    const { ask, changes, time, id } = await withFilter()
    time.ms += 5 * minutesMs
    await changes()
    time.ms += 5 * minutesMs
    await ask('eth_getFilterLogs', id)
    time.ms += 5 * minutesMs + 1
    await expect(changes()).rejects.toMatchObject(notFound)
  })

  test('uninstalling it works once; the second time there is no such filter', async () => {
    const { ask, changes, id } = await withFilter()
    expect(await ask('eth_uninstallFilter', id)).toBe(true)
    expect(await ask('eth_uninstallFilter', id)).toBe(false)
    await expect(changes()).rejects.toMatchObject(notFound)
    await expect(ask('eth_getFilterLogs', id)).rejects.toMatchObject(notFound)
  })

  test('it does not exist on another chain', async () => {
    const { filters, id } = await withFilter()
    const elsewhere = fakeChain(1)
    elsewhere.grow(100)
    const there = (method: string) => filters.call(method, [id], elsewhere.chain)
    await expect(there('eth_getFilterChanges')).rejects.toMatchObject(notFound)
    await expect(there('eth_getFilterLogs')).rejects.toMatchObject(notFound)
    expect((await there('eth_uninstallFilter')).raw).toBe('false')
  })

  test('its id has 128 random bits', async () => {
    const { ask } = world({ randomBytes: (bytes) => bytes.fill(0xab) })
    expect(await ask('eth_newFilter', {})).toBe(`0x${'ab'.repeat(16)}`)
  })

  test('the number of filters is bounded; an idle one is evicted', async () => {
    const { ask, time } = world({ filtersMax: 2 })
    await ask('eth_newFilter', {})
    time.ms += 1
    await ask('eth_newBlockFilter')
    await expect(ask('eth_newFilter', {})).rejects.toMatchObject({ kind: 'overloaded' })
    time.ms += 300_000
    await ask('eth_newFilter', {})
    await expect(ask('eth_newFilter', {})).rejects.toMatchObject({ kind: 'overloaded' })
  })

  test('the number of filters per caller is bounded', async () => {
    const { ask, as, time } = world({ perCallerMax: 2 })
    as('10.0.0.1')
    const first = await ask('eth_newFilter', {})
    await ask('eth_newBlockFilter')
    await expect(ask('eth_newFilter', {})).rejects.toMatchObject({ kind: 'too-many-requests' })
    as('10.0.0.2')
    await ask('eth_newFilter', {})
    as('10.0.0.1')
    await ask('eth_uninstallFilter', first)
    await ask('eth_newFilter', {})
    time.ms += 300_001
    await ask('eth_newFilter', {})
    as(null)
    for (let count = 0; count < 5; count++) await ask('eth_newFilter', {})
  })

  const topicsOf = (count: number) => ({
    topics: [Array.from({ length: count }, (_, index) => `0x${(index + 16).toString(16).repeat(32)}`)],
  })

  test('one caller’s large filters leave room for those of others', async () => {
    const { ask, as } = world({ bytesMax: 120_000 })
    as('10.0.0.1')
    const first = await ask('eth_newFilter', topicsOf(70))
    await expect(ask('eth_newFilter', topicsOf(70))).rejects.toMatchObject({ kind: 'too-many-requests' })
    as('10.0.0.2')
    await ask('eth_newFilter', topicsOf(70))
    as('10.0.0.1')
    await ask('eth_uninstallFilter', first)
    await ask('eth_newFilter', topicsOf(70))
  })

  test('the size of filter definitions is bounded', async () => {
    const { ask } = world({ bytesMax: 3000 })
    const id = await ask('eth_newFilter', topicsOf(30))
    await expect(ask('eth_newFilter', topicsOf(30))).rejects.toMatchObject({ kind: 'overloaded' })
    await ask('eth_uninstallFilter', id)
    await ask('eth_newFilter', topicsOf(30))
  })

  test('without memory for its trail, a filter still reports logs but removes none', async () => {
    const { changes, grow, cut } = await withFilter({}, { bytesMax: 400 })
    grow(110)
    expect(await changes()).toHaveLength(10)
    cut(109)
    grow(111, { branch: 'b' })
    expect(await changes()).toEqual(['+b110', '+b111'])
  })

  test('a poll that ends after its filter was uninstalled leaves no state behind', async () => {
    const { ask, grow } = world({ bytesMax: 700 })
    for (let turn = 0; turn < 20; turn += 1) {
      const id = await ask('eth_newFilter', {})
      grow(101 + turn)
      const polling = ask('eth_getFilterChanges', id)
      await ask('eth_uninstallFilter', id)
      await polling
    }
  })
})

describe('what no filter can watch', () => {
  const hash = `0x${'aa'.repeat(32)}`

  test.each([
    [{ blockHash: hash }, 'blockHash cannot be watched; use eth_getLogs'],
    [{ fromBlock: '0x5', toBlock: '0x4' }, 'invalid block range params'],
    [{ toBlock: '0x64' }, 'invalid block range params'],
    [{ fromBlock: 'safe' }, 'invalid block range params'],
    [{ toBlock: 'finalized' }, 'invalid block range params'],
  ])('%j', async (filter, message) => {
    await expect(world().ask('eth_newFilter', filter)).rejects.toMatchObject({
      error: { code: -32602, message },
    })
  })

  test.each([
    { fromBlock: 'earliest' },
    { fromBlock: 'earliest', toBlock: '0x0' },
    { fromBlock: '0x5', toBlock: '0x5' },
  ])('%j can be watched', async (filter) => {
    expect(await world().ask('eth_newFilter', filter)).toMatch(/^0x[0-9a-f]{32}$/)
  })
})

test('for any chain, the logs reported and not removed are those of the chain', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('grow' as const), by: fc.integer({ min: 1, max: 5 }), logs: fc.nat(2) }),
    fc.record({ kind: fc.constant('cut' as const), by: fc.integer({ min: 1, max: 6 }) }),
    fc.constant({ kind: 'poll' as const }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { changes, grow, cut, chain } = await withFilter({}, { logsRangeMax: 4 })
      let branch = 0
      const living: string[] = []
      const poll = async () => {
        const reported: readonly string[] = await changes()
        for (const item of reported) {
          if (item.startsWith('+')) living.push(item.slice(1))
          else expect(living.splice(living.lastIndexOf(item.slice(1)), 1)).toEqual([item.slice(1)])
        }
        return reported.length
      }
      const height = async () => (await chain.head()).number
      for (const each of steps) {
        if (each.kind === 'poll') await poll()
        if (each.kind === 'grow') grow((await height()) + each.by, { branch: `b${branch}-`, logs: each.logs })
        if (each.kind === 'cut') {
          cut(Math.max(100, (await height()) - each.by))
          branch += 1
        }
      }
      grow((await height()) + 1, { branch: `b${branch}-` })
      for (let turn = 0; turn < 60; turn += 1) await poll()
      const { raw } = await chain.logs({ fromBlock: '0x65', toBlock: 'latest' })
      const all = (JSON.parse(raw) as { data: string }[]).map(({ data }) => data.slice(2))
      expect(living).toEqual(all)
    }),
    { numRuns: 300 },
  )
})
