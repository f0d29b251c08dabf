import { expect, test } from 'vitest'
import { canonicalJson } from '#lib/certificate/canonical-json.ts'

test('is RFC 8785: members in order of UTF-16, numbers and strings as ECMAScript, no white space', () => {
  const value = {
    numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27],
    string: '€$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  }
  // The example of RFC 8785, 3.2.3.
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  expect(canonicalJson({ '\ufb33': 1, '\u{1f600}': 2, '\r': 3, '1': 4 })).toBe(
    '{"\\r":3,"1":4,"\u{1f600}":2,"\ufb33":1}',
  )
})
