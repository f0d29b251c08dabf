import { expect, test } from 'vitest'
import { read } from './support/sources.ts'

/** Each alert leads an operator to its section. */
const alerts = read('deploy/prometheus/alerts.yml').match(/(?<=- alert: )\w+/g) ?? []
const sections = read('docs/runbook.md').match(/(?<=^## ).+/gm) ?? []

test('each alert has a section in the runbook, and each section an alert', () => {
  expect(alerts.length).toBeGreaterThan(5)
  expect(sections.toSorted()).toEqual(alerts.toSorted())
})
