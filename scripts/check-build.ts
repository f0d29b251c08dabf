import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The inputs of a build. Missing ones are ignored. */
const sources = [
  'app',
  'contracts',
  'lib',
  'rpc-proxy',
  'public',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'next.config.mjs',
  'package-lock.json',
  'package.json',
  'proxy.ts',
  'quorate.config.ts',
  'scripts/finish-static.mjs',
  'scripts/host-packages.mjs',
  'site.config.ts',
  'tokens.json',
  'tsconfig.json',
  'tsconfig.next.json',
]

/** Files that `npm pack ./rpc-proxy` creates among the sources. */
const packed = ['rpc-proxy/dist/', 'rpc-proxy/LICENSE']

export type BuildState = {
  /** Why a build is needed; null if the existing one is up to date. */
  readonly reason: string | null
  /** Call this after a successful build of these sources. */
  keep(): void
}

/** Compares the sources of `.next` with the current ones. */
export function checkBuild(root: string): BuildState {
  const stampPath = join(root, '.demo/build.json')
  const idPath = join(root, '.next/BUILD_ID')
  const hash = hashOf(root)
  const keep = () => {
    mkdirSync(join(root, '.demo'), { recursive: true })
    writeFileSync(stampPath, `${JSON.stringify({ hash, id: readFileSync(idPath, 'utf8') })}\n`)
  }
  if (!existsSync(idPath)) return { reason: 'the app has not been built yet', keep }
  const stamp = existsSync(stampPath) ? (JSON.parse(readFileSync(stampPath, 'utf8')) as Stamp) : null
  if (stamp?.id === readFileSync(idPath, 'utf8')) {
    return { reason: stamp.hash === hash ? null : 'the sources have changed since the last build', keep }
  }
  // A build by `npm run build` is accepted if nothing has changed since.
  if (newest(root) < statSync(idPath).mtimeMs) {
    keep()
    return { reason: null, keep }
  }
  return { reason: 'the build may be older than the sources', keep }
}

type Stamp = { readonly hash: string; readonly id: string }

function hashOf(root: string): string {
  const hash = createHash('sha256')
  for (const file of filesOf(root)) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function newest(root: string): number {
  return Math.max(...filesOf(root).map((file) => statSync(join(root, file)).mtimeMs))
}

function filesOf(root: string): readonly string[] {
  return sources
    .filter((source) => existsSync(join(root, source)))
    .flatMap((source) =>
      statSync(join(root, source)).isDirectory()
        ? readdirSync(join(root, source), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
            .sort()
        : [source],
    )
    .filter((file) => !packed.some((path) => file.startsWith(path)))
}
