import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { isOwn } from './support/layers.ts'
import { sources } from './support/sources.ts'

/** Names that Next gives a file its job by. */
const ofNext = /^(page|route|layout|template|loading|error|global-error|not-found|default)\.tsx?$/
/** The words of a page have the name of the page. */
const words = 'lib/page/texts/'

const product = sources
  .filter(isOwn)
  .map(({ path }) => path)
  .filter((path) => !/^(demo|scripts|tests)\//.test(path) && !path.startsWith(words))
  .filter(
    (path) => path !== 'rpc-proxy/index.ts' && !(path.startsWith('app/') && ofNext.test(basename(path))),
  )

test('no file name stands for two jobs: a file that is named in a stack trace or a review is found by its name', () => {
  const nameOf = (path: string) => basename(path).replace(/\.\w+$/, '')
  const shared = product.filter((path) =>
    product.some((other) => other !== path && nameOf(other) === nameOf(path)),
  )
  expect(shared).toEqual([])
})
