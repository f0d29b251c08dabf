import { expect, test } from 'vitest'
import { traceparentOf } from '../../../../rpc-proxy/http/handler.ts'

const ids = `${'ab'.repeat(16)}-${'cd'.repeat(8)}`
const read = (text: string | null) => traceparentOf(() => text)

test.each([
  ['version 00', `00-${ids}-01`, `00-${ids}-01`],
  ['a later version', `01-${ids}-01`, `00-${ids}-01`],
  ['a later version with more fields', `cc-${ids}-00-what-the.future`, `00-${ids}-00`],
  ['flags of a later version', `01-${ids}-ff`, `00-${ids}-01`],
])('continues the trace of %s', (_, text, parent) => {
  expect(read(text)).toBe(parent)
})

test.each([
  ['no header', null],
  ['version ff', `ff-${ids}-01`],
  ['version 00 with more fields', `00-${ids}-01-more`],
  ['a later version whose next field has no dash', `01-${ids}-01more`],
  ['no trace id', `01-${'0'.repeat(32)}-${'cd'.repeat(8)}-01`],
  ['no span id', `01-${'ab'.repeat(16)}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${ids.toUpperCase()}-01`],
])('starts a new trace for %s', (_, text) => {
  expect(read(text)).toBeNull()
})
