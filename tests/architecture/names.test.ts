import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { isOwn } from './support/layers.ts'
import { root, sources } from './support/sources.ts'

/**
 * Words of which docs/glossary.md has a better one, as parts of an identifier. `answer` and `asks` are words of the wire and of people:
 * a header, a route and a limit keep them.
 */
const banned = [
  'ask asks asked benched came camp cast essence excluded exchange looked refusal',
  'held kept lend shown stretch taken trouble blames concluded contrary essential parked',
  'resting said sharer told trial twin voice welcome zoo',
].flatMap((words) => words.split(' '))

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const files = sources
  .filter(isOwn)
  .filter(({ path }) => /^(rpc-proxy|lib|app|demo|scripts)\/.*\.tsx?$/.test(path))
  .map(({ path }) => ({
    path,
    program: parseSync(path, readFileSync(join(root, path), 'utf8')).program as unknown as Node,
  }))

test('no identifier is of a word that the glossary replaces', () => {
  const found = files.flatMap(({ path, program }) =>
    [...new Set(identifiersOf(program))]
      .filter((name) => wordsOf(name).some((word) => banned.includes(word)))
      .map((name) => `${name} in ${path}`),
  )
  expect(found).toEqual([])
})

test('no type name is exported by two files: one name, one meaning', () => {
  const byName = new Map<string, string[]>()
  for (const { path, program } of files)
    for (const name of exportedTypesOf(program)) byName.set(name, [...(byName.get(name) ?? []), path])
  expect(Object.fromEntries([...byName].filter(([, paths]) => paths.length > 1))).toEqual({})
})

function exportedTypesOf(program: Node): readonly string[] {
  return (program['body'] as Node[]).flatMap(({ type, declaration }) => {
    const declared = type === 'ExportNamedDeclaration' ? (declaration as Node | null) : null
    const isType = declared !== null && /^(TS|Class)/.test(declared.type)
    return isType ? [(declared['id'] as { readonly name: string }).name] : []
  })
}

function identifiersOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(identifiersOf)
  if (typeof node !== 'object' || node === null) return []
  const { type, name } = node as { readonly type?: string; readonly name?: unknown }
  const own =
    (type === 'Identifier' || type === 'PrivateIdentifier') && typeof name === 'string' ? [name] : []
  return [...own, ...Object.values(node).flatMap(identifiersOf)]
}

/** `sizeAsksMax` is size, asks, max. */
function wordsOf(name: string): readonly string[] {
  return name.split(/(?=[A-Z])|_|\$/).map((word) => word.toLowerCase())
}
