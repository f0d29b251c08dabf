import { expect, test } from 'vitest'
import { GatheredBytes } from '#lib/limits/gathered-bytes.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const textOf = (gathered: GatheredBytes) => new TextDecoder().decode(gathered.whole())

test('one part is not copied; of several none is kept, so that none keeps alive what it arrived in', () => {
  const whole = bytesOf('the whole')
  const gathered = new GatheredBytes()
  gathered.add(whole)
  expect(gathered.whole().buffer).toBe(whole.buffer)
  const [one, two] = [bytesOf(', and '), bytesOf('more')]
  gathered.add(one)
  gathered.add(two)
  for (const part of [whole, one, two]) part.fill(0)
  expect(textOf(gathered)).toBe('the whole, and more')
})
