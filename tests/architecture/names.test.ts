import { expect, test } from 'vitest'
import { isOwn } from './support/layers.ts'
import { type Node, programOf, read, sources, walk } from './support/sources.ts'

/**
 * Words of which docs/glossary.md has a better one, as parts of an identifier. `answer` and `asks` are words of the wire and of people:
 * a header, a route and a limit keep them.
 */
const banned = [
  'anew ask asks asked benched came camp cast essence excluded exchange looked refusal',
  'held kept lend shown stretch taken trouble blames concluded contrary essential footing parked',
  'resting said sharer told trial troubles twin voice welcome zoo',
].flatMap((words) => words.split(' '))

const files = sources
  .filter(isOwn)
  .filter(({ path }) => /^(rpc-proxy|lib|app|demo|scripts)\/.*\.tsx?$/.test(path))
  .map(({ path }) => ({ path, program: programOf(path) }))

test('no identifier is of a word that the glossary replaces', () => {
  const found = files.flatMap(({ path, program }) =>
    [...new Set(identifiersOf(program))]
      .filter((name) => wordsOf(name).some((word) => banned.includes(word)))
      .map((name) => `${name} in ${path}`),
  )
  expect(found).toEqual([])
})

test('no test folder, file or exported name is of a word that the glossary replaces', () => {
  const isBanned = (name: string) => wordsOf(name).some((word) => banned.includes(word))
  const found = sources
    .filter(({ path }) => /^tests\/.*\.tsx?$/.test(path))
    .flatMap(({ path }) => [
      ...path.split(/[/.]/).filter((part) => part.split('-').some(isBanned)),
      ...exportedNamesOf(programOf(path))
        .filter(isBanned)
        .map((name) => `${name} in ${path}`),
    ])
  expect([...new Set(found)]).toEqual([])
})

/** Words that the glossary replaces in comments and texts too. A client is called so, and never a make. */
const replaced = ['anew', 'essence', 'stand-in', 'all make', 'each make', 'honest make', 'most make']

test.each([
  ['no comment or text has a word that the glossary replaces', `\\b(${replaced.join('|')})s?\\b`],
  // A transaction is rejected, and a rule says so too; refused is what a caller asks for.
  [
    'no rule or text calls a rejected transaction refused',
    "\\brejected: 'refused'|\\blabel: '[^']*\\brefuse",
  ],
])('%s', (_, words) => {
  const found = files.filter(({ path }) => new RegExp(words, 'i').test(read(path)))
  expect(found.map(({ path }) => path)).toEqual([])
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

function exportedNamesOf(program: Node): readonly string[] {
  return (program['body'] as Node[])
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap((exported) => identifiersOf((exported['declaration'] as Node | null) ?? exported).slice(0, 1))
}

function identifiersOf(program: Node): readonly string[] {
  return [...walk(program)].flatMap(({ type, name }) =>
    type === 'Identifier' || type === 'PrivateIdentifier' ? [String(name)] : [],
  )
}

/** `sizeAsksMax` is size, asks, max. */
function wordsOf(name: string): readonly string[] {
  return name.split(/(?=[A-Z])|_|\$/).map((word) => word.toLowerCase())
}
