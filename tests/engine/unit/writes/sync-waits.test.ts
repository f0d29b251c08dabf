import { expect, test } from 'vitest'
import { SyncWaits } from '../../../../rpc-proxy/writes/sync-waits.ts'

const refused = (kind: string) => expect.objectContaining({ kind })

test('one caller may wait for 20 receipts at once, and another is not held up', () => {
  const waits = new SyncWaits()
  const leaves = Array.from({ length: 20 }, () => waits.enter('192.0.2.1'))
  expect(() => waits.enter('192.0.2.1')).toThrow(refused('too-many-requests'))
  waits.enter('192.0.2.2')
  leaves[0]?.()
  waits.enter('192.0.2.1')
})

test('all callers together may wait for 200', () => {
  const waits = new SyncWaits()
  const leaves = Array.from({ length: 200 }, (_, index) => waits.enter(`192.0.2.${index}`))
  expect(() => waits.enter('198.51.100.1')).toThrow(refused('overloaded'))
  leaves[0]?.()
  waits.enter('198.51.100.1')
})
