import { expect, test } from 'vitest'
import { SyncWaits } from '../../../../rpc-proxy/writes/writes.ts'

const refused = (kind: string) => expect.objectContaining({ kind })

test('all callers together may wait for 200', () => {
  const waits = new SyncWaits()
  const leaves = Array.from({ length: 200 }, (_, index) => waits.enter(`192.0.2.${index}`))
  expect(() => waits.enter('198.51.100.1')).toThrow(refused('overloaded'))
  leaves[0]?.()
  waits.enter('198.51.100.1')
})
