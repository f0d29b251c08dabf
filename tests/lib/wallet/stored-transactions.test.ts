import { describe, expect, test } from 'vitest'
import { checkRecord } from '#lib/wallet/checks.ts'
import { createTransactions, type TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import { recordOf } from './record.ts'

const hashOf = (place: number) => `0x${place.toString(16).padStart(64, '0')}` as const
const record = (place: number, change: Partial<TransactionRecord> = {}) =>
  recordOf({ hash: hashOf(place), description: `number ${place}`, sentMs: place, ...change })

function storage(kept: string | null = null) {
  let text = kept
  return {
    getItem: () => text,
    setItem: (_: string, value: string) => {
      text = value
    },
  }
}

describe('the transaction store', () => {
  test('shows the newest first and survives a reload', () => {
    const kept = storage()
    const transactions = createTransactions(kept)
    transactions.add(record(1))
    transactions.add(record(2))
    expect(
      createTransactions(kept)
        .all()
        .map(({ hash }) => hash),
    ).toEqual([hashOf(2), hashOf(1)])
  })

  test('keeps ten completed of each account and chain, and every pending one', () => {
    const transactions = createTransactions(storage())
    for (let place = 1; place <= 3; place++) transactions.add(record(place))
    for (let place = 4; place <= 14; place++) transactions.add(record(place, { status: 'confirmed' }))
    transactions.add(record(99, { chainId: 1, status: 'confirmed' }))
    const all = transactions.all()
    expect(all.filter(({ status }) => status === 'pending')).toHaveLength(3)
    expect(all.filter(({ status, chainId }) => status === 'confirmed' && chainId === 137)).toHaveLength(10)
    expect(all.filter(({ chainId }) => chainId === 1)).toHaveLength(1)
    expect(all.some(({ hash }) => hash === hashOf(4))).toBe(false)
  })

  test('notifies subscribers of changes until they unsubscribe', () => {
    const transactions = createTransactions(null)
    let reported = 0
    const leave = transactions.subscribe(() => {
      reported++
    })
    transactions.add(record(1))
    transactions.change(hashOf(1), { status: 'confirmed' })
    leave()
    transactions.change(hashOf(1), { seen: 9 })
    expect(reported).toBe(2)
    expect(transactions.all()[0]).toMatchObject({ status: 'confirmed', seen: 9 })
  })

  test('keeps what two tabs send, and what each learns later', () => {
    const kept = storage()
    const [one, two] = [createTransactions(kept), createTransactions(kept)]
    one.add(record(1))
    two.add(record(2))
    one.change(hashOf(1), { seen: 1, block: 7 })
    two.change(hashOf(2), { nonce: 4 })
    for (const transactions of [one, createTransactions(kept)]) {
      transactions.reload()
      expect(transactions.all()).toEqual([record(2, { nonce: 4 }), record(1, { seen: 1, block: 7 })])
    }
  })

  test('what one tab has seen settled stays settled, even if another tab still waits for it', () => {
    const kept = storage()
    const [one, two] = [createTransactions(kept), createTransactions(kept)]
    one.add(record(1))
    two.reload()
    one.change(hashOf(1), { status: 'confirmed', seen: 3, block: 7 })
    two.change(hashOf(1), { status: 'pending', seen: 2, block: 7 })
    for (const transactions of [one, two, createTransactions(kept)]) {
      expect(transactions.all()).toEqual([record(1, { status: 'confirmed', seen: 3, block: 7 })])
    }
  })

  test.each(['untracked', 'replaced'] as const)(
    'a receipt found by one tab settles what another marked as %s',
    (status) => {
      const kept = storage()
      const [one, two] = [createTransactions(kept), createTransactions(kept)]
      one.add(record(1))
      two.reload()
      one.change(hashOf(1), { status: 'pending', seen: 1, block: 7 })
      two.change(hashOf(1), { status })
      one.change(hashOf(1), { status: 'confirmed', seen: 3, block: 7 })
      two.change(hashOf(1), { status })
      for (const transactions of [one, two, createTransactions(kept)]) {
        transactions.reload()
        expect(transactions.all()[0]).toMatchObject({ status: 'confirmed', seen: 3, block: 7 })
      }
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
    const kept = storage()
    const [one, two] = [createTransactions(kept), createTransactions(kept)]
    one.add(record(1))
    const before = kept.getItem()
    let reported = 0
    two.subscribe(() => {
      reported++
    })
    two.reload()
    expect(reported).toBe(1)
    expect(two.all()).toEqual([record(1)])
    expect(kept.getItem()).toBe(before)
  })

  test('a transaction removed in one tab is not restored by another, and can be added again', () => {
    const kept = storage()
    const [one, two] = [createTransactions(kept), createTransactions(kept)]
    one.add(record(1, { status: 'confirmed' }))
    one.add(record(2))
    two.reload()
    one.remove(({ status }) => status === 'confirmed')
    two.change(hashOf(2), { seen: 1, block: 7 })
    two.change(hashOf(1), { status: 'confirmed' })
    for (const transactions of [one, two, createTransactions(kept)]) {
      transactions.reload()
      expect(transactions.all()).toEqual([record(2, { seen: 1, block: 7 })])
    }
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
    const full = {
      getItem: () => {
        throw new Error('denied')
      },
      setItem: () => {
        throw new Error('full')
      },
    }
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
    kept.setItem = () => {
      throw new Error('full')
    }
    transactions.change(hashOf(1), { seen: 1, block: 7 })
    transactions.change(hashOf(1), { nonce: 4 })
    expect(transactions.all()).toEqual([record(1, { seen: 1, block: 7, nonce: 4 })])
  })

  test.each([
    [{ hash: '0x12' }, 'Invalid transaction hash'],
    [{ hash: `${hashOf(1)}0` }, 'Invalid transaction hash'],
    [{ description: 7 }, 'Transaction must have a description'],
    [{ confirmations: 0 }, 'Transaction confirmations must be a positive integer'],
    [{ confirmations: 1.5 }, 'Transaction confirmations must be a positive integer'],
  ])('refuses %o, saying so', (change, sentence) => {
    expect(() => checkRecord({ hash: hashOf(1), description: 'x', ...change })).toThrow(sentence)
  })

  test('accepts a record without confirmations', () => {
    expect(() => checkRecord({ hash: hashOf(1), description: '' })).not.toThrow()
  })

  const reviewed = { to: hashOf(1).slice(0, 42) as `0x${string}`, value: '0x1', data: '0x' } as const
  const sent = {
    kind: 'sent',
    from: reviewed.to,
    to: null,
    value: '0x2',
    data: '0x60',
    isReverted: false,
  } as const

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

  test.each([
    [{ reviewed: { ...reviewed, value: 1 } }],
    [{ reviewed: { ...reviewed, to: '0x1' } }],
    [{ others: [reviewed] }],
    [{ reviewed, others: [{ ...reviewed, value: 1 }] }],
    [{ reviewed, others: 7 }],
    [{ reviewed, batchId: 7 }],
    [{ reviewed: { ...reviewed, token: { symbol: 'A', decimals: -1 } } }],
    [{ reviewed: { ...reviewed, token: { symbol: 'A', decimals: 500_000_000 } } }],
    [{ sentMs: undefined }],
    [{ sentMs: '1' }],
    [{ sentMs: 8.65e15 }],
    [{ seen: {} }],
    [{ block: '0x1' }],
    [{ nonce: [] }],
    [{ hash: [hashOf(1)] }],
    [{ reviewed, status: 'different' }],
    [{ status: 'different', found: sent }],
    [{ reviewed, status: 'different', found: { ...sent, data: 'x' } }],
    [{ reviewed, status: 'different', found: { kind: 'effect', amount: '5' } }],
  ])('drops a stored record that cannot be shown: %j', (change) => {
    expect(createTransactions(storage(JSON.stringify([{ ...record(1), ...change }]))).all()).toEqual([])
  })
})
