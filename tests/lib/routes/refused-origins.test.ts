import { expect, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import type { Line } from '#lib/observe/line.ts'
import { createRefusedOrigins } from '#lib/routes/refused-origins.ts'

function made() {
  const lines: Line[] = []
  const clock = { nowMs: 0 }
  const counts = createHostCounts()
  const note = createRefusedOrigins(
    { isOn: () => true, write: (line) => lines.push(line) },
    { now: () => clock.nowMs, counts },
  )
  return { note, counts, lines, clock }
}

test('a refused origin is logged by name, at most once a second, and each is counted', () => {
  const { note, counts, lines, clock } = made()
  for (let turn = 0; turn < 5; turn++) note('rpc', 'https://shop.example')
  note('change', 'https://evil.example')
  clock.nowMs = 1000
  note('rpc', 'https://shop.example')
  expect(lines.map(({ event, level, fields }) => ({ event, level, fields }))).toEqual([
    { event: 'origin-refused', level: 'warn', fields: { wanted: 'rpc', origin: 'https://shop.example' } },
    { event: 'origin-refused', level: 'warn', fields: { wanted: 'change', origin: 'https://evil.example' } },
    {
      event: 'origin-refused',
      level: 'warn',
      fields: { wanted: 'rpc', origin: 'https://shop.example', suppressed: 4 },
    },
  ])
  expect(counts.series().filter(({ labels }) => labels.wanted !== undefined)).toEqual([
    { name: 'quorate_origins_refused_total', labels: { wanted: 'rpc' }, value: 6 },
    { name: 'quorate_origins_refused_total', labels: { wanted: 'change' }, value: 1 },
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
