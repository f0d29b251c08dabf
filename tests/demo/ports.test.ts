import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { freePort } from '../../demo/ports.ts'

const module = new URL('../../demo/ports.ts', import.meta.url).href

test('suites that start at once never choose the same port, though none listens yet', async () => {
  const own: number[] = []
  while (own.length < 500) own.push(await freePort())
  expect(new Set(own).size).toBe(own.length)
  const program = `import { freePort } from '${module}'; console.log(await freePort())`
  const elsewhere = Array.from({ length: 3 }, () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
  )
  expect(new Set(elsewhere).size).toBe(elsewhere.length)
})
