import { expect, test } from 'vitest'
import { createNonces } from '../../../../rpc-proxy/writes/nonces.ts'

function nonces() {
  const time = { ms: 0 }
  return { time, memory: createNonces({ now: () => time.ms, after: () => () => {} }) }
}

const sent = (chainId: number, sender: string, nonce: number) => ({
  chainId,
  sender,
  nonce,
  hash: `0x${nonce}`,
})

test('the next nonce follows the accepted ones, in any order', () => {
  const { memory } = nonces()
  for (const nonce of [8, 7, 9]) memory.accepted(sent(137, '0xA', nonce))
  expect([memory.next(137, '0xa', 7), memory.next(137, '0xa', 9)]).toEqual([10, 10])
})

test('chains and senders are separate', () => {
  const { memory } = nonces()
  memory.accepted(sent(137, '0xa', 7))
  expect([memory.next(1, '0xa', 7), memory.next(137, '0xb', 7)]).toEqual([7, 7])
})

test('counting stops at a gap, and nonces below the state are ignored', () => {
  const { memory } = nonces()
  for (const nonce of [3, 7, 9]) memory.accepted(sent(137, '0xa', nonce))
  expect([5, 7, 8].map((from) => memory.next(137, '0xa', from))).toEqual([5, 8, 8])
})

test('entries expire after ten minutes', () => {
  const { memory, time } = nonces()
  memory.accepted(sent(137, '0xa', 7))
  time.ms = 600_000
  expect(memory.next(137, '0xa', 7)).toBe(8)
  time.ms = 600_001
  expect(memory.next(137, '0xa', 7)).toBe(7)
})

test('nonces per sender and senders are bounded, the oldest are dropped first', () => {
  const { memory } = nonces()
  for (let nonce = 0; nonce <= 64; nonce += 1) memory.accepted(sent(137, '0xa', nonce))
  expect([memory.next(137, '0xa', 0), memory.next(137, '0xa', 1)]).toEqual([0, 65])
  memory.accepted(sent(137, '0xb', 1))
  memory.accepted(sent(137, '0xa', 65))
  for (let sender = 1; sender < 10_000; sender += 1) memory.accepted(sent(137, `0x${sender}`, 1))
  expect([memory.next(137, '0xa', 65), memory.next(137, '0xb', 1), memory.next(137, '0x1', 1)]).toEqual([
    66, 1, 2,
  ])
})
