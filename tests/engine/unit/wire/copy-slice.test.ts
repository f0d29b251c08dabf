import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { owned } from '../../../../rpc-proxy/wire/scan.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapMegabytes(): number {
  collect()
  return process.memoryUsage().heapUsed / 1e6
}

test('equals the slice, at any length', () => {
  const text = 'abcdefghijklmnopqrstuvwxyzé'
  for (let from = 0; from <= text.length; from++)
    for (let to = from; to <= text.length; to++) expect(owned(text, from, to)).toBe(text.slice(from, to))
})

test('a kept substring does not retain the megabyte it was cut from', () => {
  const before = heapMegabytes()
  const words = Array.from({ length: 60 }, (_, index) => {
    const text = JSON.parse(`"${String.fromCharCode(97 + (index % 26)).repeat(1_000_000)}"`) as string
    return owned(text, 500_000, 500_100)
  })
  expect(heapMegabytes() - before).toBeLessThan(10)
  expect(words.every(({ length }) => length === 100)).toBe(true)
})
