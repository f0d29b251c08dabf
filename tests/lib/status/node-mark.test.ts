import { expect, test } from 'vitest'
import { markOf } from '#lib/status/sync.ts'

const honest = { role: 'voter', state: 'usable', votes: 200, dissents: 0 } as const

test('a node that is often overruled has its own mark', () => {
  expect(markOf(honest)).toBe('usable')
  expect(markOf({ ...honest, dissents: 2 })).toBe('dissenting')
  expect(markOf({ ...honest, votes: 7, dissents: 7 })).toBe('dissenting')
})

test('one dissent, or fewer than one in a hundred votes, gives no mark', () => {
  expect(markOf({ ...honest, votes: 1, dissents: 1 })).toBe('usable')
  expect(markOf({ ...honest, votes: 201, dissents: 2 })).toBe('usable')
})

test('a usable witness stands by, and is marked like any node where something is wrong with it', () => {
  const witness = { ...honest, role: 'witness' } as const
  expect(markOf(witness)).toBe('standby')
  expect(markOf({ ...witness, dissents: 2 })).toBe('dissenting')
  expect(markOf({ ...witness, state: 'open' })).toBe('open')
})

test('a node that may not vote shows the reason first', () => {
  expect(markOf({ ...honest, state: 'open', dissents: 9 })).toBe('open')
})
