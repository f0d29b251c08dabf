import { expect, test } from 'vitest'
import { callerOf } from '#lib/limits/caller-address.ts'
import { callerKey } from '#rpc-proxy'

const socket = '203.0.113.9'

test.each([
  ['the socket with no trusted hop, whatever the header says', '198.51.100.1', 0, socket],
  ['the only entry', '198.51.100.1', 1, '198.51.100.1'],
  ['the last entry of one trusted hop', '6.6.6.6, 198.51.100.1', 1, '198.51.100.1'],
  ['the last but one of two', '6.6.6.6, 198.51.100.1, 10.0.0.2', 2, '198.51.100.1'],
  ['the same with other spaces', '6.6.6.6,7.7.7.7 ,\t198.51.100.1 , 10.0.0.2', 2, '198.51.100.1'],
  ['the first of fewer entries than hops, which all are our own proxies’', '198.51.100.1', 3, '198.51.100.1'],
  ['the socket where the proxies were passed by', null, 1, socket],
  ['the socket where the header is empty', ' , ', 1, socket],
  // What `callerKey` makes of it: tests/engine/unit/admission/caller.test.ts.
  ['an address as it is written', '[2001:DB8::1]:443', 1, '[2001:DB8::1]:443'],
  ['a long one without its end', 'x'.repeat(9000), 1, 'x'.repeat(512)],
])('the caller is %s', (_, header, hops, caller) => {
  expect(callerOf(header, socket, hops)).toBe(caller)
})

test('callers without an address are not counted with no trusted hop; else they share one budget, as malformed ones do', () => {
  expect(callerOf('198.51.100.1', null, 0)).toBe(null)
  expect(callerOf(null, null, 1)).toBe('unknown')
  expect(callerKey('unknown')).toBe(callerKey('x'.repeat(512)))
})
