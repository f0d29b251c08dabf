import { expect, test } from 'vitest'
import { read } from './support/sources.ts'

/** The names of the alerts, each with its severity. */
const alerts = [
  ...read('deploy/prometheus/alerts.yml').matchAll(/- alert: (\w+)\n[\s\S]*?severity: (page|ticket)/g),
].map(([, name = '', severity = '']) => [name, severity] as const)
const sections = new Map(
  read('docs/runbook.md')
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.split('\n')[0] ?? '', text] as const),
)

test('each alert has a section in the runbook, and each section an alert', () => {
  expect(alerts.length).toBeGreaterThan(5)
  expect([...sections.keys()].toSorted()).toEqual(alerts.map(([name]) => name).toSorted())
})

test.each(alerts)(
  '%s: its severity, %s, meaning, impact, three commands, what to do and what not',
  (name, severity) => {
    const section = sections.get(name) ?? ''
    for (const part of [
      new RegExp(`^\\*\\*Means\\*\\* \\(${severity}\\): `, 'm'),
      /^\*\*Visitors\*\*: /m,
      /^\*\*Do\*\*/m,
      /^\*\*Do not\*\* /m,
    ])
      expect(section).toMatch(part)
    const commands = /```sh\n([\s\S]*?)```/.exec(section)?.[1]?.trim().split('\n') ?? []
    expect(commands).toHaveLength(3)
  },
)
