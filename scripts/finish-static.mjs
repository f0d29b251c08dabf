import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

/**
 * V8's explicit compile hint. It must be the first line. V8 then compiles all functions of the script off the main thread while the
 * script loads. Without it, V8 compiles each function at its first call, on the main thread. A page connects in 0.83 of the time.
 */
const compileHint = '//# allFunctionsCalledOnLoad\n'

/** Turbopack's loader for an `import()`: its id, the scripts that it loads, and the module that it then runs. */
const loader =
  /(?<=[,\]])(?<id>[\de]+),\w+=>\{\w+\.v\(\w+=>Promise\.(?:resolve\(\)|all\(\[(?<list>[^\]]*)\]\.map\(\w+=>\w+\.l\(\w+\)\)\))\.then\(\(\)=>\w+\((?<module>[\de]+)\)\)\)\}/g

/**
 * Two scripts may have a loader with the same id. Each loader omits the scripts that its own page has already loaded, and the browser
 * keeps the first loader. The `import()` of the other page then always fails (vercel/next.js#98099). So each loader gets the scripts
 * of all loaders with its id. An added script may fail: a browser may run a script of an earlier build, whose other scripts are gone.
 * @param {readonly string[]} texts scripts of one build, minified
 */
export function withWholeLoaders(texts) {
  /** @type {Map<string, Set<string>>} */
  const lists = new Map()
  for (const text of texts)
    for (const { groups } of text.matchAll(loader)) {
      const { id = '', list = '' } = groups ?? {}
      lists.set(id, new Set([...(lists.get(id) ?? []), ...filesOf(list)]))
    }
  return texts.map((text) =>
    text.replace(loader, (...match) => {
      const { id, list = '', module } = match.at(-1)
      const own = filesOf(list)
      const others = [...(lists.get(id) ?? [])].filter((file) => !own.includes(file))
      const load = `[Promise.all(${JSON.stringify(own)}.map(t=>e.l(t))),Promise.allSettled(${JSON.stringify(others)}.map(t=>e.l(t)))]`
      return others.length === 0 ? match[0] : `${id},e=>{e.v(t=>Promise.all(${load}).then(()=>t(${module})))}`
    }),
  )
}

/** @returns {string[]} */
const filesOf = (/** @type {string} */ list) => JSON.parse(`[${list}]`)

/**
 * Fixes the loaders in scripts, adds the compile hint, and writes a brotli copy of each file that browsers load.
 * `npm start` serves these copies.
 * @param {{ distDir: string }} build
 */
export async function finishStatic({ distDir }) {
  const dir = join(distDir, 'static')
  const paths = readdirSync(dir, { encoding: 'utf8', recursive: true }).map((name) => join(dir, name))
  const read = (/** @type {string} */ path) => readFileSync(path, 'utf8')
  const scripts = paths.filter((path) => path.endsWith('.js'))
  const finished = withWholeLoaders(scripts.map(read)).map((text) => compileHint + text)
  const others = paths.filter((path) => /\.(css|svg)$/.test(path))
  const files = [
    ...scripts.map((path, index) => /** @type {const} */ ([path, finished[index] ?? ''])),
    ...others.map((path) => /** @type {const} */ ([path, read(path)])),
  ]
  await Promise.all(
    files.map(async ([path, text]) => {
      writeFileSync(path, text)
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(text))
    }),
  )
}
