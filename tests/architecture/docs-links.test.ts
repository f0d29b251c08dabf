import { existsSync, globSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { docsWithoutEngine, engineFolders } from '../../scripts/use-engine-package/docs-without-engine.ts'
import { read, root } from './support/sources.ts'

const patterns = ['*.md', 'docs/**/*.md', 'rpc-proxy/*.md', 'tests/**/*.md', 'deploy/**/*.md']
const documents = globSync(patterns, { cwd: root, exclude: (path) => path.includes('node_modules') })

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

function anchorsOf(path: string): readonly string[] {
  const headings = read(path).matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, heading = '']) => anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')))
}

/** The links of a document that lead to no file or heading. `find` says where a file is, or null. */
function brokenLinks(document: string, text: string, find: (path: string) => string | null) {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#')
      const path = find(file === '' ? document : normalize(join(dirname(document), file)))
      if (path === null || !existsSync(join(root, path))) return true
      return anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).includes(anchor)
    })
    .map((link) => `${document}: ${link}`)
}

test('every relative link of a document leads to a file, and to a heading that is there', () => {
  expect(documents.length).toBeGreaterThan(10)
  expect(documents.flatMap((path) => brokenLinks(path, read(path), (file) => file))).toEqual([])
})

test('in a fork whose engine is a package no link is dead, and a coding agent is sent to no folder or command that left', () => {
  const isDeleted = (path: string) => engineFolders.some((folder) => `${path}/`.startsWith(`${folder}/`))
  const engine = { name: 'engine', scripts: ['sim', 'mutants', 'clients'] }
  const forked = documents
    .filter((path) => !isDeleted(path))
    .map((path) => [path, docsWithoutEngine(path, read(path), engine)] as const)
  const ofPackage = existsSync(join(root, 'rpc-proxy')) ? 'rpc-proxy/README.md' : null
  const find = (path: string) =>
    path === 'node_modules/engine/README.md' ? ofPackage : isDeleted(path) ? null : path
  expect(forked.flatMap(([path, text]) => brokenLinks(path, text, find))).toEqual([])
  expect(forked.find(([path]) => path === 'AGENTS.md')?.[1]).not.toMatch(/`rpc-proxy\/|tests\/engine/)
  const naming = forked.filter(([, text]) => /npm run (sim|mutants|clients)\b/.test(text))
  expect(naming.map(([path]) => path)).toEqual(['CHANGELOG.md'])
})
