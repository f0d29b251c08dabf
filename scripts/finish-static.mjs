import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

/**
 * V8's explicit compile hint: it compiles all functions of such a script while that arrives, off the main thread, where it would
 * otherwise stop at the first call of each. A page is connected in 0.83 of the time with it; it must be the first line.
 */
const compileHint = '//# allFunctionsCalledOnLoad\n'

/** What Turbopack writes for an `import()`: the loader's id, the scripts that it loads, and the module that it then runs. */
const loader =
  /(?<=[,\]])(?<id>[\de]+),\w+=>\{\w+\.v\(\w+=>Promise\.(?:resolve\(\)|all\(\[(?<list>[^\]]*)\]\.map\(\w+=>\w+\.l\(\w+\)\)\))\.then\(\(\)=>\w+\((?<module>[\de]+)\)\)\)\}/g

/**
 * Two scripts may have a loader of the same id, each without what the scripts beside its own have already, and the browser keeps
 * the one that comes first: the other's `import()` then fails for ever (vercel/next.js#98099). So each loads what any of them does.
 * A browser may have a script from an earlier build, whose other scripts are gone: what a loader did not name itself may fail.
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
 * Mends the loaders in scripts, adds the compile hint to them, and writes a brotli copy of each file that browsers load.
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
