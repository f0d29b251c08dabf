import { describe, expect, test, vi } from 'vitest'
import { createTransactions, type TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import { recordOf, storage } from './record.ts'

const hashOf = (place: number) => `0x${place.toString(16).padStart(64, '0')}` as const
const record = (place: number, change: Partial<TransactionRecord> = {}) =>
  recordOf({ hash: hashOf(place), description: `number ${place}`, sentMs: place, ...change })

const broken = () => {
  throw new Error('denied, or full')
}
/** Two tabs that share a storage; `all` are they, and one that is opened now. */
function tabs(...records: readonly TransactionRecord[]) {
  const kept = storage()
  const [one, two] = [createTransactions(kept), createTransactions(kept)]
  for (const each of records) one.add(each)
  two.reload()
  const all = () =>
    [one, two, createTransactions(kept)].map((transactions) => {
      transactions.reload()
      return transactions.all()
    })
  return { kept, one, two, all }
}
const thrice = <Value>(value: Value) => [value, value, value]

describe('the transaction store', () => {
  test('keeps ten completed of each account and chain, and every pending one', () => {
    const transactions = createTransactions(storage())
    const pending = [record(3), record(2), record(1)]
    const ofOtherChain = record(99, { chainId: 1, status: 'confirmed' })
    const confirmed = Array.from({ length: 11 }, (_, index) => record(14 - index, { status: 'confirmed' }))
    for (const each of [...pending, ...confirmed, ofOtherChain].toReversed()) transactions.add(each)
    expect(transactions.all()).toEqual([ofOtherChain, ...confirmed.slice(0, 10), ...pending])
  })

  test('notifies subscribers of changes until they unsubscribe', () => {
    const transactions = createTransactions(null)
    const notify = vi.fn()
    const leave = transactions.subscribe(notify)
    transactions.add(record(1))
    transactions.change(hashOf(1), { status: 'confirmed' })
    leave()
    transactions.change(hashOf(1), { seen: 9 })
    expect(notify).toHaveBeenCalledTimes(2)
    expect(transactions.all()[0]).toMatchObject({ status: 'confirmed', seen: 9 })
  })

  test('keeps what two tabs send, and what each learns later', () => {
    const { one, two, all } = tabs()
    one.add(record(1))
    two.add(record(2))
    one.change(hashOf(1), { seen: 1, block: 7 })
    two.change(hashOf(2), { nonce: 4 })
    expect(all()).toEqual(thrice([record(2, { nonce: 4 }), record(1, { seen: 1, block: 7 })]))
  })

  test('what one tab has seen settled stays settled, even if another tab still waits for it', () => {
    const { one, two, all } = tabs(record(1))
    const settled = { status: 'confirmed', seen: 3, block: 7 } as const
    one.change(hashOf(1), settled)
    two.change(hashOf(1), { status: 'pending', seen: 2, block: 7 })
    expect([one.all(), two.all()]).toEqual([[record(1, settled)], [record(1, settled)]])
    expect(all()).toEqual(thrice([record(1, settled)]))
  })

  test.each(['untracked', 'replaced'] as const)(
    'a receipt found by one tab settles what another marked as %s',
    (status) => {
      const { one, two, all } = tabs(record(1))
      const settled = { status: 'confirmed', seen: 3, block: 7 } as const
      one.change(hashOf(1), { status: 'pending', seen: 1, block: 7 })
      two.change(hashOf(1), { status })
      one.change(hashOf(1), settled)
      two.change(hashOf(1), { status })
      expect(all()).toEqual(thrice([record(1, settled)]))
    },
  )

  test('a removed transaction is not restored by a poll without a result', () => {
    const transactions = createTransactions(null)
    transactions.add(record(1))
    transactions.change(hashOf(1), { status: 'untracked' })
    transactions.change(hashOf(1), { status: 'pending' })
    expect(transactions.all()[0]?.status).toBe('untracked')
  })

  test('a tab that reloads the storage notifies its subscribers, and writes nothing', () => {
    const { kept, one, two } = tabs()
    one.add(record(1))
    const before = kept.getItem()
    const notify = vi.fn()
    two.subscribe(notify)
    two.reload()
    expect(notify).toHaveBeenCalledOnce()
    expect(two.all()).toEqual([record(1)])
    expect(kept.getItem()).toBe(before)
  })

  test('a transaction removed in one tab is not restored by another, and can be added again', () => {
    const { one, two, all } = tabs(record(1, { status: 'confirmed' }), record(2))
    one.remove(({ status }) => status === 'confirmed')
    two.change(hashOf(2), { seen: 1, block: 7 })
    two.change(hashOf(1), { status: 'confirmed' })
    expect(all()).toEqual(thrice([record(2, { seen: 1, block: 7 })]))
    two.add(record(1, { status: 'confirmed' }))
    one.reload()
    expect(one.all()).toHaveLength(2)
  })

  test('removes without storage too', () => {
    const transactions = createTransactions(null)
    transactions.add(record(1))
    transactions.add(record(2))
    transactions.remove(({ hash }) => hash === hashOf(1))
    transactions.reload()
    expect(transactions.all()).toEqual([record(2)])
  })

  test('works with a full, forbidden or corrupt storage', () => {
    const full = { getItem: broken, setItem: broken }
    for (const kept of [full, storage('{'), storage('{}'), storage('[1,null,{"hash":"0x1"}]')]) {
      const transactions = createTransactions(kept)
      expect(transactions.all()).toEqual([])
      transactions.add(record(1))
      expect(transactions.all()).toHaveLength(1)
    }
  })

  test('keeps its own state when the storage is full, not the stored state', () => {
    const kept = storage()
    const transactions = createTransactions(kept)
    transactions.add(record(1))
    kept.setItem = broken
    transactions.change(hashOf(1), { seen: 1, block: 7 })
    transactions.change(hashOf(1), { nonce: 4 })
    expect(transactions.all()).toEqual([record(1, { seen: 1, block: 7, nonce: 4 })])
  })

  const reviewed = { to: hashOf(1).slice(0, 42) as `0x${string}`, value: '0x1', data: '0x' } as const
  const { to: from } = reviewed
  const sent = { kind: 'sent', from, to: null, value: '0x2', data: '0x60', isReverted: false } as const

  test('keeps what was included instead of what was reviewed, as completed', () => {
    const kept = storage()
    const transactions = createTransactions(kept)
    transactions.add(record(1, { reviewed }))
    transactions.change(hashOf(1), { status: 'different', found: sent, block: 7 })
    transactions.change(hashOf(1), { status: 'pending' })
    expect(createTransactions(kept).all()).toEqual([
      record(1, { reviewed, status: 'different', found: sent, block: 7 }),
    ])
  })

  const move = { token: null, isIn: true, amount: '0x1' } as const
  const included = { certificateId: null, moves: [move] }

  test('shows what was included again at the next visit', () => {
    const settled = record(1, { status: 'confirmed', included })
    expect(createTransactions(storage(JSON.stringify([settled]))).all()).toEqual([settled])
  })

  const labelled = (decimals: number) => ({ symbol: 'A', decimals })
  const calls = [{ value: 1 }, { to: '0x1' }, { token: labelled(-1) }, { token: labelled(500_000_000) }]
  const moves = [{ token: '0x1' }, { amount: '1' }, { label: labelled(256) }]
  const different = { reviewed, status: 'different' }

  test.each([
    ...calls.map((change) => ({ reviewed: { ...reviewed, ...change } })),
    { others: [reviewed] },
    ...[[{ ...reviewed, value: 1 }], 7].map((others) => ({ reviewed, others })),
    { reviewed, batchId: 7 },
    ...[{ sentMs: undefined }, { sentMs: '1' }, { sentMs: 8.65e15 }],
    ...[{ seen: {} }, { block: '0x1' }, { nonce: [] }, { description: 7 }],
    ...[{ hash: [hashOf(1)] }, { hash: '0x12' }, { hash: `${hashOf(1)}0` }, { sentAs: '0x12' }],
    ...[{ confirmations: 0 }, { confirmations: 1.5 }],
    ...[different, { status: 'different', found: sent }],
    { ...different, found: { ...sent, data: 'x' } },
    { ...different, found: { kind: 'effect', amount: '5' } },
    { included: { ...included, certificateId: 7 } },
    { included: { ...included, moves: [null] } },
    ...moves.map((change) => ({ included: { ...included, moves: [{ ...move, ...change }] } })),
  ])('drops a stored record that cannot be shown: %j', (change) => {
    expect(createTransactions(storage(JSON.stringify([{ ...record(1), ...change }]))).all()).toEqual([])
  })
})
