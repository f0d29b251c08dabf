import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from '../mutants/mutants.ts'

const engine = join(import.meta.dirname, '..', '..', 'rpc-proxy')

test('every mutant matches exactly one place of the current engine', () => {
  const lost = mutants.filter(
    ({ file, find }) => readFileSync(join(engine, file), 'utf8').split(find).length !== 2,
  )
  expect(lost.map(({ name }) => name)).toEqual([])
})
