import { expect, test } from 'vitest'
import { withWholeLoaders } from '../../scripts/finish-static.mjs'

type Load = (file: string) => Promise<void>
type Loader = (runtime: {
  l: Load
  v: (load: (run: (id: number) => string) => Promise<string>) => void
}) => void

/** Runs a script's loader of module 9 as the browser does. Only these files exist. */
function importIn(script: string, files: readonly string[]) {
  const asked: string[] = []
  const load: Load = async (file) => {
    asked.push(file)
    if (!files.includes(file)) throw new Error(`404 ${file}`)
  }
  const [, , loader] = new Function(`return ${script}`)() as [null, number, Loader]
  return new Promise<readonly string[]>((resolve, reject) => {
    loader({ l: load, v: (start) => void start((id) => `module ${id}`).then(() => resolve(asked), reject) })
  })
}

const loaderOf = (...files: string[]) =>
  `[null,1e4,e=>{e.v(t=>Promise.all(${JSON.stringify(files)}.map(t=>e.l(t))).then(()=>t(9)))}]`
const alreadyThere = '[null,1e4,e=>{e.v(e=>Promise.resolve().then(()=>e(9)))}]'

test('an `import()` loads the scripts of all its loaders', async () => {
  const [whole = '', part = ''] = withWholeLoaders([loaderOf('a.js', 'b.js'), alreadyThere])
  expect(whole).toBe(loaderOf('a.js', 'b.js'))
  expect(await importIn(part, ['a.js', 'b.js'])).toEqual(['a.js', 'b.js'])
})

test('a script of an earlier build loads its own scripts, even if the others are gone', async () => {
  const [script = ''] = withWholeLoaders([loaderOf('own.js'), loaderOf('other.js')])
  expect(await importIn(script, ['own.js'])).toEqual(['own.js', 'other.js'])
  await expect(importIn(script, ['other.js'])).rejects.toThrow('404 own.js')
})
