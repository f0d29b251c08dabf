import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './support/sources.ts'

const documents = globSync(['*.md', 'docs/**/*.md', 'rpc-proxy/*.md', 'tests/**/*.md', 'deploy/**/*.md'], {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
})

/** As GitHub makes the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

function anchorsOf(path: string): readonly string[] {
  const headings = readFileSync(join(root, path), 'utf8').matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, heading = '']) => anchorOf(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')))
}

/** `npm run use-engine-package` deletes them together. */
const hasLeft = (path: string) =>
  !existsSync(join(root, 'rpc-proxy')) && /^(rpc-proxy|tests\/engine)\//.test(path)

test('every relative link of a document leads to a file, and to a heading that is there', () => {
  expect(documents.length).toBeGreaterThan(10)
  const broken = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const path = file === '' ? document : normalize(join(dirname(document), file))
        if (!existsSync(join(root, path))) return !hasLeft(path)
        return anchor !== undefined && path.endsWith('.md') && !anchorsOf(path).includes(anchor)
      })
      .map((link) => `${document}: ${link}`),
  )
  expect(broken).toEqual([])
})
