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

  test.each([
    ['198.51.100.1:5123', '198.51.100.1'],
    ['[2001:DB8::1]:443', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
  ])('%s is the caller %s', (entry, caller) => {
    expect(callerKey(callerOf(entry, socket, 1) ?? '')).toBe(caller)
  })

  test.each([
    'unknown',
    '_hidden',
    '1.2.3.4.5',
    '999.1.1.1',
    "<script>alert('1')</script>",
    'x'.repeat(9000),
    '::g',
  ])('malformed addresses share one budget', (entry) => {
    expect(callerKey(callerOf(entry, socket, 1) ?? '')).toBe('unknown')
  })

  test('unknown callers share it too', () => {
    expect(callerOf(null, null, 1)).toBe('unknown')
  })
})
