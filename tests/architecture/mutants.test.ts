import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyEdit } from '../mutants/edit.ts'
import { mutants } from '../mutants/mutants.ts'
import { root } from './support/sources.ts'

const engine = join(root, 'rpc-proxy')

/** The promises of the table in docs/decisions.md. */
const promises = readFileSync(join(root, 'docs/decisions.md'), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| (S\d+) \|/.exec(line)?.[1] ?? [])

/** The ids of all rows of verdict tables, one for each row. */
const rows = globSync('**/*.ts', { cwd: engine }).flatMap((file) =>
  [...readFileSync(join(engine, file), 'utf8').matchAll(/\bid: '([a-z-]+)',\s+label: /g)].map(
    ([, id]) => id as string,
  ),
)

const countOf = (id: string, ids: readonly string[]) => ids.filter((each) => each === id).length
const broken = mutants.flatMap(({ breaks }) => breaks)

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))('%s: applies', (_, mutant) => {
  const source = readFileSync(join(engine, mutant.file), 'utf8')
  expect(applyEdit(source, mutant)).not.toBe(source)
})

test('there are at most 80 mutants, each with a name of its own', () => {
  expect(mutants.length).toBeLessThanOrEqual(80)
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

test('docs/proof.md says how many there are', () => {
  expect(readFileSync(join(root, 'docs/proof.md'), 'utf8')).toContain(`${mutants.length} mutants:`)
})

test('every promise has a mutant', () => {
  expect(promises.length).toBeGreaterThan(12)
  expect(promises.filter((id) => countOf(id, broken) === 0)).toEqual([])
})

test('every row of a verdict table has a mutant', () => {
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter((id) => countOf(id, broken) < countOf(id, rows))).toEqual([])
})

test('every mutant breaks a promise or a row that is there, and names a suite that is there', () => {
  const known = new Set([...promises, ...rows])
  const isThere = (by: string) => by === 'sim' || by === 'model' || existsSync(join(root, 'tests', by))
  const lost = mutants.filter(
    ({ breaks, by }) => breaks.length === 0 || !breaks.every((id) => known.has(id)) || !isThere(by),
  )
  expect(lost.map(({ name }) => name)).toEqual([])
})
