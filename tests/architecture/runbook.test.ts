import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)/g)].map(
  ([, name]) => name ?? '',
)
const sections = new Map(
  read('docs/runbook.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', text] as const),
)

test('each alert has a section in the runbook, and each section an alert', () => {
  expect(alerts.length).toBeGreaterThan(5)
  expect([...sections.keys()].toSorted()).toEqual(alerts.toSorted())
})

test.each(alerts)('%s: meaning, impact, three commands, what to do and what not', (name) => {
  const section = sections.get(name) ?? ''
  for (const part of [
    /^\*\*Means\*\* \((page|ticket)\): /m,
    /^\*\*Visitors\*\*: /m,
    /^\*\*Do\*\*/m,
    /^\*\*Do not\*\* /m,
  ])
    expect(section).toMatch(part)
  const commands = /```sh\n([\s\S]*?)```/.exec(section)?.[1]?.trim().split('\n') ?? []
  expect(commands).toHaveLength(3)
})

test.each(alerts)('%s has the severity of its alert', (name) => {
  const severity = new RegExp(`- alert: ${name}\\n[\\s\\S]*?severity: (page|ticket)`).exec(
    read('deploy/prometheus/alerts.yml'),
  )?.[1]
  expect(sections.get(name)).toContain(`**Means** (${severity})`)
})
