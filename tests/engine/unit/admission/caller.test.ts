import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callerKey } from '../../../../rpc-proxy/admission/caller.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['::203.0.113.7', '203.0.113.7'],
  ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
])('%s is the caller %s', (address, key) => {
  expect(callerKey(address)).toBe(key)
})

test.each([
  ...['', 'unknown', 'localhost', '__proto__'],
  // Nearly IPv4.
  ...[
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '0x7f.1',
    '1.2.3.4, 5.6.7.8',
    `${'1'.repeat(100)}.1.1.1`,
  ],
  // Nearly IPv6.
  ...['2001:db8::1::2', '1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8::', 'fffff::1', 'g::1'],
  ...['::1.2.3', ':::', '[::1'],
])('%j is not an identifiable caller', (address) => {
  expect(callerKey(address)).toBe('unknown')
})

test('two addresses in one /64 are one caller, in two /64s two callers', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
  fc.assert(
    fc.property(fc.array(group, { minLength: 12, maxLength: 12 }), (groups) => {
      const network = groups.slice(0, 4)
      const one = callerKey([...network, ...groups.slice(4, 8)].join(':'))
      const two = callerKey([...network, ...groups.slice(8, 12)].join(':'))
      fc.pre(network.some((value) => value !== '0'))
      expect(one).toBe(two)
      const neighbour = [...network.slice(0, 3), network[3] === '1' ? '2' : '1', ...groups.slice(4, 8)]
      expect(callerKey(neighbour.join(':'))).not.toBe(one)
    }),
  )
})

test('for any header of a proxy, the key is short', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.string({ unit: fc.constantFrom(':', '1', '.') })),
      (text) => {
        expect(callerKey(text).length).toBeLessThanOrEqual(40)
      },
    ),
  )
  for (const text of [':'.repeat(100_000), `[${'1.'.repeat(50_000)}`])
    expect(callerKey(text).length).toBeLessThanOrEqual(40)
})
