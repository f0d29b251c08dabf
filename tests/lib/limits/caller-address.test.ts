import { describe, expect, test } from 'vitest'
import { callerOf } from '#lib/limits/caller-address.ts'
import { callerKey } from '#rpc-proxy'

const socket = '203.0.113.9'

describe('with no trusted hop', () => {
  test('the caller is the socket address, regardless of the header', () => {
    expect(callerOf('198.51.100.1', socket, 0)).toBe(socket)
  })

  test('and no socket address, callers are unknown', () => {
    expect(callerOf('198.51.100.1', null, 0)).toBe(null)
  })
})

describe('with trusted hops', () => {
  test.each([
    ['198.51.100.1', 1, '198.51.100.1'],
    ['6.6.6.6, 198.51.100.1', 1, '198.51.100.1'],
    ['6.6.6.6, 198.51.100.1, 10.0.0.2', 2, '198.51.100.1'],
    ['6.6.6.6,7.7.7.7 ,\t198.51.100.1 , 10.0.0.2', 2, '198.51.100.1'],
    // Fewer entries than hops: our own proxies appended all of them.
    ['198.51.100.1', 3, '198.51.100.1'],
  ])('%s with %d hops is %s: counted from the right', (header, hops, caller) => {
    expect(callerOf(header, socket, hops)).toBe(caller)
  })

  test('a caller that bypassed the proxies is the socket address', () => {
    expect(callerOf(null, socket, 1)).toBe(socket)
    expect(callerOf(' , ', socket, 1)).toBe(socket)
  })

  // What `callerKey` makes of it: tests/engine/unit/admission/caller.test.ts.
  test('an address is passed on as it is written, without an end where it is long', () => {
    expect(callerOf('[2001:DB8::1]:443', socket, 1)).toBe('[2001:DB8::1]:443')
    expect(callerOf('x'.repeat(9000), socket, 1)).toBe('x'.repeat(512))
  })

  test('callers without an address share one budget, which malformed ones share too', () => {
    expect(callerOf(null, null, 1)).toBe('unknown')
    expect(callerKey('unknown')).toBe(callerKey('x'.repeat(512)))
  })
})
