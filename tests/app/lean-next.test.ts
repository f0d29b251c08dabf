import { readdirSync, readFileSync } from 'node:fs'
import { NEXT_NAV_DEPLOYMENT_ID_HEADER } from 'next/dist/lib/constants.js'
import { expect, test } from 'vitest'
import * as lean from '../../app/_ui/lean-next.tsx'

const folder = 'node_modules/next/dist/client/components'

test('what takes the place of Next’s constants has each that the client of a page reads', () => {
  const reading = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'))
    .filter((text) => /require\("(\.\.\/){3,4}lib\/constants"\)/.test(text))
  const names = reading.flatMap((text) => text.match(/(?<=_constants\.)\w+/g) ?? [])
  expect(reading.length).toBeGreaterThan(0)
  expect(new Set(names)).toEqual(new Set(['NEXT_NAV_DEPLOYMENT_ID_HEADER']))
  expect(lean.NEXT_NAV_DEPLOYMENT_ID_HEADER).toBe(NEXT_NAV_DEPLOYMENT_ID_HEADER)
})
