import { expect, test } from 'vitest'
import { wholeFilter } from '../stack/own-engine.ts'

test('an empty packet filter is restored as empty tables', () => {
  expect(wholeFilter('')).toBe(
    [
      ...['*filter', ':INPUT ACCEPT [0:0]', ':FORWARD ACCEPT [0:0]', ':OUTPUT ACCEPT [0:0]', 'COMMIT'],
      ...['*nat', ':PREROUTING ACCEPT [0:0]', ':INPUT ACCEPT [0:0]', ':OUTPUT ACCEPT [0:0]'],
      ...[':POSTROUTING ACCEPT [0:0]', 'COMMIT'],
    ].join('\n'),
  )
})

test('an existing table is restored unchanged', () => {
  const saved = '*filter\n:INPUT DROP [0:0]\n-A INPUT -i lo -j ACCEPT\nCOMMIT\n*nat\nCOMMIT'
  expect(wholeFilter(saved)).toBe(saved)
})
