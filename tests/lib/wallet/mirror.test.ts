import { expect, test, vi } from 'vitest'
import { clearSettled, mirror } from '#lib/wallet/mirror.ts'
import { createTransactions } from '#lib/wallet/stored-transactions.ts'
import { own } from './accounts.ts'
import { recordOf, storage } from './record.ts'

const hashes = [1, 2, 3, 4].map((place) => `0x${String(place).repeat(64)}` as const)
const [first, second, open, gone] = hashes as [`0x${string}`, `0x${string}`, `0x${string}`, `0x${string}`]

test('a transaction that is cleared is in the account dialog no more, and back there after Undo', () => {
  const dialog = storage()
  vi.stubGlobal('localStorage', dialog)
  const listed = () => {
    const stored = JSON.parse(dialog.getItem() ?? '{}') as Record<string, Record<string, { hash: string }[]>>
    return (stored[own]?.[137] ?? []).map(({ hash }) => hash)
  }
  const transactions = createTransactions(storage())
  const settled = [first, second].map((hash, sentMs) => recordOf({ hash, sentMs, status: 'confirmed' }))
  const untracked = recordOf({ hash: gone, sentMs: 3, status: 'untracked' })
  for (const record of [...settled, untracked, recordOf({ hash: open, sentMs: 4 })]) transactions.add(record)
  for (const record of settled) mirror(record)
  expect(listed()).toEqual([second, first])

  const undo = clearSettled(transactions, own)
  expect(listed()).toEqual([])
  expect(transactions.all().map(({ hash }) => hash)).toEqual([open])

  undo()
  expect(listed()).toEqual([second, first])
  expect(transactions.all().map(({ hash }) => hash)).toEqual([open, gone, second, first])
})
