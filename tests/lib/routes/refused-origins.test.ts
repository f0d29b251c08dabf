import { expect, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { createRefusedOrigins } from '#lib/routes/refused-origins.ts'
import { recordedLog } from '../../support/recorded-log.ts'

function made() {
  const { log, lines } = recordedLog()
  const clock = { nowMs: 0 }
  const note = createRefusedOrigins(log, { now: () => clock.nowMs, counts: createHostCounts() })
  return { note, lines, clock }
}

// That each is counted: tests/edge/operator.test.ts.
test('a refused origin is logged by name, at most once a second', () => {
  const { note, lines, clock } = made()
  for (let turn = 0; turn < 5; turn++) note('rpc', 'https://shop.example')
  note('change', 'https://evil.example')
  clock.nowMs = 1000
  note('rpc', 'https://shop.example')
  expect(lines.map(({ event, level, fields }) => [level, event, fields])).toEqual([
    ['warn', 'origin-refused', { wanted: 'rpc', origin: 'https://shop.example' }],
    ['warn', 'origin-refused', { wanted: 'change', origin: 'https://evil.example' }],
    ['warn', 'origin-refused', { wanted: 'rpc', origin: 'https://shop.example', suppressed: 4 }],
  ])
})

test('any origin is logged as one short line of printable characters', () => {
  const { note, lines } = made()
  note('rpc', `https://a\n\u001b[31m${'x'.repeat(500)}`)
  const origin = String(lines[0]?.fields.origin)
  expect(origin).toMatch(/^[\x20-\x7e]{100}$/)
  expect(origin.startsWith('https://a??[31m')).toBe(true)
})

test('a page without an origin is logged as none', () => {
  const { note, lines } = made()
  note('rpc', null)
  expect(lines[0]?.fields.origin).toBeNull()
})
