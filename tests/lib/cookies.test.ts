import { expect, test } from 'vitest'
import { cookieValues } from '#lib/cookies.ts'

test('tells every value of a name, whatever spaces and tabs stand before it', () => {
  expect(cookieValues('a=1; b=2;\t a=3;a=x=y;a', 'a')).toEqual(['1', '3', 'x=y'])
})

test.each(['\u00a0', '\ufeff', '\u2003', '\u000b', '\u000c'])(
  'takes no name for another that begins with white space of another kind: browsers let a neighbouring host set it (%j)',
  (space) => {
    expect(cookieValues(`${space}__Host-a=1; __Host-a${space}=2`, '__Host-a')).toEqual([])
  },
)
