import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Shape } from '../../../../rpc-proxy/wire/canonical.ts'
import { canonical } from '../../../../rpc-proxy/wire/canonical.ts'
import { block, chain, type Json, samples, stateSync } from '../../../support/canonical-chain.ts'

const same = (shape: Shape, one: unknown, other: unknown, chainId?: number) => {
  expect(canonical(shape, one, chainId)).not.toBeNull()
  expect(canonical(shape, other, chainId)).toBe(canonical(shape, one, chainId))
}
const apart = (shape: Shape, one: unknown, other: unknown, chainId?: number) =>
  expect(canonical(shape, other, chainId)).not.toBe(canonical(shape, one, chainId))

const log = chain.logs[0] as Json
const receipt = chain.receipts[1] as Json
const mined = chain.transactions[3] as Json

describe('a value of the wrong shape is a fault', () => {
  test.each<[Shape, unknown]>([
    ['quantity', '21000'],
    ['quantity', 21000],
    ['quantity', '0x'],
    ['quantity', '0xg'],
    ['quantity', `0x1${'0'.repeat(64)}`],
    ['quantity', ['0x1']],
    ['quantity', undefined],
    ['data', '0xabc'],
    ['data', 'abcd'],
    ['data', '<html>'],
    ['call', {}],
    ['block', {}],
    ['block', []],
    ['block', { ...block, hash: null }],
    ['block', { ...block, logsBloom: '0x00' }],
    ['block', { ...block, transactions: [1] }],
    ['transaction', { ...mined, value: '0x2' }],
    ['transaction', { ...mined, hash: log.transactionHash }],
    ['transaction', 'pending'],
    ['receipt', { ...receipt, logs: undefined }],
    ['receipt', { ...receipt, status: 1 }],
    ['receipts', receipt],
    ['logs', [{ ...log, topics: '0x' }]],
    ['logs', {}],
    ['proof', { ...chain.proof, accountProof: null }],
    ['fee-history', { ...chain.feeHistory, gasUsedRatio: ['0.5'] }],
    ['fee-history', { ...chain.feeHistory, gasUsedRatio: [Number.NaN] }],
    ['access-list', { ...chain.accessList, accessList: [{ address: '0x', storageKeys: [] }] }],
    ['storage', { [chain.contract]: '0x' }],
    ['simulation', [{ calls: [] }]],
  ])('%s %j', (shape, value) => {
    expect(canonical(shape, value)).toBeNull()
  })

  test('so is a transaction that does not match the requested hash, at any length', () => {
    expect(canonical('transaction', { ...mined, input: `0x${'ab'.repeat(300_000)}` })).toBeNull()
  })

  test('so is JSON that is nested too deeply, without a stack overflow', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth++) deep = [deep]
    expect(canonical('json', deep)).toBeNull()
    expect(canonical('block', deep)).toBeNull()
  })

  test('no reply makes it throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.anything(), fc.string(), ([shape, value], strange, key) => {
        expect(() => canonical(shape, strange)).not.toThrow()
        if (typeof value === 'object' && !Array.isArray(value))
          expect(() => canonical(shape, { ...value, [key]: strange })).not.toThrow()
        expect(() => canonical(shape, [strange])).not.toThrow()
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })
})

describe('honest answers have one canonical text', () => {
  test('every sample is read, and its canonical text is a fixed point', () => {
    for (const [shape, value] of samples) {
      const text = canonical(shape, value)
      expect(text).not.toBeNull()
      expect(canonical(shape, JSON.parse(text ?? ''))).toBe(text)
    }
  })

  test('with leading zeros in quantities, but not in data', () => {
    same('quantity', '0x1F4', '0x0001f4')
    same('quantity', '0x0', '0x00')
    apart('data', '0x00ab', '0xab')
    same('data', '0xAB', '0xab')
  })

  test('null has a canonical text too', () => {
    expect(canonical('receipt', null)).toBe('null')
    apart('receipt', null, receipt)
  })

  test('for a receipt, with logs in any order, and with or without a blob price when it has no blobs', () => {
    const other = { ...log, logIndex: '0xa', data: '0x02' }
    const geth = { ...receipt, logs: [other, log], blobGasPrice: undefined }
    const erigon = {
      ...receipt,
      blobGasPrice: '0x1',
      logs: [log, { ...other, removed: undefined, timestamp: '0x5' }],
    }
    same('receipt', geth, erigon)
    apart(
      'receipt',
      { ...receipt, type: '0x3', blobGasUsed: '0x1', blobGasPrice: '0x1' },
      { ...receipt, type: '0x3', blobGasUsed: '0x1', blobGasPrice: '0x2' },
    )
  })

  test('for a receipt or transaction with blobs, with or without a leading zero in its type', () => {
    const blobs = { ...receipt, type: '0x3', blobGasUsed: '0x1', blobGasPrice: '0x1' }
    same('receipt', blobs, { ...blobs, type: '0x03' })
    apart('receipt', blobs, { ...blobs, type: '0x03', blobGasPrice: '0x2' })
  })

  test('for logs in any order', () => {
    const logs = [0, 1, 2, 9, 10, 255, 256].map((index) => ({ ...log, logIndex: `0x${index.toString(16)}` }))
    const earlier = { ...log, blockNumber: '0x1', logIndex: '0xff' }
    fc.assert(
      fc.property(fc.shuffledSubarray([...logs, earlier], { minLength: 8 }), (shuffled) => {
        same('logs', [earlier, ...logs], shuffled)
      }),
    )
    const twice = [log, { ...log, data: '0x01' }]
    same('logs', twice, [...twice].reverse())
  })

  test('for an access list, compared as sets', () => {
    const [one, two] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
    const [key, other] = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`]
    const entry = (address: string, ...storageKeys: string[]) => ({ address, storageKeys })
    const result = (...accessList: unknown[]) => ({ accessList, gasUsed: '0x1' })
    same(
      'access-list',
      result(entry(one, key, other), entry(two)),
      result(entry(two), entry(one, other, key)),
    )
    same('access-list', result(entry(one, key, other)), result(entry(one, key), entry(one, other)))
    apart('access-list', result(entry(one, key)), result(entry(one, other)))
    apart('access-list', result(entry(one)), { ...result(entry(one)), error: 'out of gas' })
    same('access-list', { ...result(), error: 'execution reverted' }, { ...result(), error: 'VM Exception' })
  })

  test('for a Polygon state sync, where bor and erigon report different price and cumulative gas', () => {
    const erigon = { ...stateSync, cumulativeGasUsed: '0x20fffe5', effectiveGasPrice: '0xbd01025' }
    same('receipt', stateSync, erigon, 137)
    apart('receipt', stateSync, erigon, 1)
    apart('receipt', stateSync, { ...erigon, status: '0x0' }, 137)
    apart('receipt', receipt, { ...receipt, cumulativeGasUsed: '0x1' }, 137)
  })
})

type Path = readonly (string | number)[]

/** Paths to all values that can be changed. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, member]) => leaves(member, [...path, key]))
}

function changed(value: unknown, [step, ...rest]: Path, change: (leaf: unknown) => unknown): unknown {
  if (step === undefined) return change(value)
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? changed(item, rest, change) : item))
  return { ...(value as Json), [step]: changed((value as Json)[step], rest, change) }
}

/** A different value of the same type. */
function lie(leaf: unknown): unknown {
  if (typeof leaf === 'string')
    return leaf.startsWith('0x')
      ? leaf.slice(0, -1) + (Number.parseInt(leaf.slice(-1), 16) ^ 1 || 0).toString(16)
      : `${leaf}!`
  if (typeof leaf === 'number') return leaf + 1
  return leaf === null ? '0x1' : !leaf
}

describe('a lie is never in the group of the honest answer', () => {
  // Fields that nodes may write differently, and fields that are derived from the parity and never taken from a node.
  const free = new Set(['error', 'v'])
  /** Each compared value of the samples: its canonical text, and a check that it is another one with that value changed. */
  const everyLeaf = samples.flatMap(([shape, value]) => {
    const text = canonical(shape, value) as string
    const honest: unknown = JSON.parse(text)
    return leaves(honest)
      .filter((path) => !free.has(String(path.at(-1))))
      .map((path) => ({
        ...{ shape, path },
        leaf: path.reduce((part, step) => (part as Json)[step], honest),
        isSame: (change: (leaf: unknown) => unknown) =>
          canonical(shape, changed(honest, path, change)) === text,
      }))
  })
  const named = (all: typeof everyLeaf) => all.map(({ shape, path }) => `${shape} ${path.join('.')}`)

  test('when any compared field differs', () => {
    expect(named(everyLeaf.filter(({ isSame }) => isSame(lie)))).toEqual([])
    expect(everyLeaf.length).toBeGreaterThan(500)
  })

  test('when any field is missing', () => {
    // Each of these follows from another field.
    const derived = ['v', 'yParity', 'type', 'logsBloom']
    const missed = everyLeaf.filter(
      ({ shape, path, leaf, isSame }) =>
        leaf != null &&
        leaf !== false &&
        path.length > 0 &&
        (shape === 'json' || !derived.includes(String(path.at(-1)))) &&
        isSame(() => undefined),
    )
    expect(named(missed)).toEqual([])
  })

  test('when a list is shorter or longer', () => {
    apart('logs', chain.logs, chain.logs.slice(1))
    apart('logs', chain.logs, [...chain.logs, log])
    apart('receipts', chain.blockReceipts, chain.blockReceipts.slice(1))
    apart('block', block, { ...block, transactions: [] })
    apart('block', block, {
      ...block,
      withdrawals: [{ index: '0x0', validatorIndex: '0x0', address: log.address, amount: '0x1' }],
    })
  })
})

describe('noise that changes nothing', () => {
  const changedIn = (value: unknown, change: (part: unknown) => unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, part) => change(part))
  const inObjects = (value: unknown, change: (object: Json) => object) =>
    changedIn(value, (part) =>
      typeof part === 'object' && part !== null && !Array.isArray(part) ? change(part as Json) : part,
    )
  const shouted = (value: unknown) =>
    changedIn(value, (part) =>
      typeof part === 'string' && /^0x[0-9a-f]*$/.test(part) ? `0x${part.slice(2).toUpperCase()}` : part,
    )
  const reversed = (value: unknown) =>
    inObjects(value, (object) => Object.fromEntries(Object.entries(object).reverse()))
  const withVendor = (value: unknown) => inObjects(value, (object) => ({ ...object, xVendor: { any: [1] } }))

  test.each(samples.filter(([shape]) => shape !== 'storage').map(([shape, value]) => ({ shape, value })))(
    '$shape',
    ({ shape, value }) => {
      same(shape, value, reversed(value))
      if (shape !== 'json') same(shape, value, shouted(value))
      if (shape !== 'json') same(shape, value, withVendor(value))
    },
  )
})
