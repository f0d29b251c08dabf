import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../deploy/grafana/dashboards')

interface Board {
  readonly templating: { readonly list: readonly { readonly name: string; readonly allValue: string }[] }
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
}

test.each(readdirSync(folder))('%s shows one replica, some or all, in every panel', (file) => {
  const { templating, panels } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Board
  // A process that is alone has no replica: what matches all must match none, too.
  expect(templating.list).toContainEqual(expect.objectContaining({ name: 'replica', allValue: '.*' }))
  const selectors = panels
    .flatMap(({ targets }) => targets)
    .flatMap(({ expr }) =>
      [...expr.matchAll(/\b(?:quorate|rpc|chain:)\w+(?:\{[^}]*\})?/g)].map(([text]) => text),
    )
  expect(selectors.length).toBeGreaterThan(10)
  expect(selectors.filter((text) => !text.includes('replica=~"$replica"'))).toEqual([])
})
