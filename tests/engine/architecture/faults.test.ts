import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { faultKinds } from '../../../rpc-proxy/wire/fault.ts'
import { root } from '../../architecture/support/sources.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('every fault of a node has a row in the runbook', () => {
  const kinds = faultKinds
    // The caller has left; it is not counted.
    .filter((kind) => kind !== 'cancelled')
  expect(kinds.length).toBeGreaterThan(25)
  const rows =
    read('docs/runbook.md')
      .match(/^\| `.*$/gm)
      ?.map((row) => row.split('|')[1] ?? '') ?? []
  expect(kinds.filter((kind) => !rows.some((row) => row.includes(`\`${kind}\``)))).toEqual([])
})
