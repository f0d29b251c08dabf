import { expect, test } from 'vitest'
import { wholeFilter } from '../stack/own-engine.ts'

test('a packet filter that was empty is put back as empty tables', () => {
  expect(wholeFilter('')).toBe(
    [
      ...['*filter', ':INPUT ACCEPT [0:0]', ':FORWARD ACCEPT [0:0]', ':OUTPUT ACCEPT [0:0]', 'COMMIT'],
      ...['*nat', ':PREROUTING ACCEPT [0:0]', ':INPUT ACCEPT [0:0]', ':OUTPUT ACCEPT [0:0]'],
      ...[':POSTROUTING ACCEPT [0:0]', 'COMMIT'],
    ].join('\n'),
  )
})

test('a table that was there is put back as it was', () => {
  const saved = '*filter\n:INPUT DROP [0:0]\n-A INPUT -i lo -j ACCEPT\nCOMMIT\n*nat\nCOMMIT'
  expect(wholeFilter(saved)).toBe(saved)
})
