import { expect, test } from 'vitest'
import { cookieValues } from '#lib/http.ts'

test('returns every value of a name, after any spaces and tabs', () => {
  expect(cookieValues('a=1; b=2;\t a=3;a=x=y;a', 'a')).toEqual(['1', '3', 'x=y'])
})

test.each(['\u00a0', '\ufeff', '\u2003', '\u000b', '\u000c'])(
  'does not match a name with other leading white space, which a sibling host could set (%j)',
  (space) => {
    expect(cookieValues(`${space}__Host-a=1; __Host-a${space}=2`, '__Host-a')).toEqual([])
  },
)
