import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as api from '#rpc-proxy'
import { root, within } from '../../architecture/support/sources.ts'

const texts = within('rpc-proxy').map(({ path }) => readFileSync(join(root, path), 'utf8'))

test.each(Object.keys(api))('%s, which the engine exports, has an example', (name) => {
  const declaration = new RegExp(
    `(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/)\\nexport (?:async )?(?:function|class|const) ${name}\\b`,
  )
  const found = texts.map((text) => declaration.exec(text)?.[1]).find((comment) => comment !== undefined)
  expect(found).toContain('@example')
})
