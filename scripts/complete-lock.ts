import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Completes package-lock.json, or the lock that is named, with a stub for every optional package that the registry at hand did not serve.
 *
 * Some registries mirror the binaries of one platform only. A lock written against one of them omits the rest,
 * and then `npm ci` refuses the lock and npm on another platform silently skips its own binary
 * (https://github.com/npm/cli/issues/4828). A stub names the version and the platform; npm fetches it where it fits.
 */
type Entry = {
  version?: string
  optional?: true
  dev?: true
  os?: string[]
  cpu?: string[]
  libc?: string[]
  integrity?: string
  optionalDependencies?: Record<string, string>
}
type Packages = Record<string, Entry>

const system = /^(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)$/
const processor = /^(arm|arm64|ia32|loong64|mips64el|ppc64|riscv64|s390x|x64)$/
/** Processors by other names than npm's. */
const aliases: Readonly<Record<string, string>> = { amd64: 'x64', powerpc64le: 'ppc64', ppc64le: 'ppc64' }

/** Lists the optional packages that some locked package names and the lock does not hold. */
export function missingOptionals(packages: Packages): { name: string; version: string; dev: boolean }[] {
  return Object.entries(packages).flatMap(([path, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isResolved(packages, path, name))
      .map(([name, version]) => ({ name, version, dev: entry.dev === true })),
  )
}

/** Describes a package by the platform its name tells; throws where the name tells none. */
export function stub(name: string, version: string, dev: boolean): Entry {
  const words = name.split(/[-/]/)
  const os = words.find((word) => system.test(word))
  const cpu = words.map((word) => aliases[word] ?? word).find((word) => processor.test(word))
  if (os === undefined || cpu === undefined) throw new Error(`${name} names no platform; lock it by hand`)
  return {
    version,
    cpu: [cpu],
    ...(dev && { dev: true as const }),
    ...(name.includes('musl') && { libc: ['musl'] }),
    optional: true,
    os: [os],
  }
}

/** Node's own lookup: a package is searched for beside its dependent, then in every folder above. */
function isResolved(packages: Packages, from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true
    if (folder === '') return false
  }
}

if (import.meta.main) {
  const path = process.argv[2] ?? join(import.meta.dirname, '../package-lock.json')
  const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Packages }
  const missing = missingOptionals(lock.packages)
  for (const { name, version, dev } of missing) {
    lock.packages[`node_modules/${name}`] = stub(name, version, dev)
  }
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en')),
  )
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`${missing.length} stubs added.`)
}
