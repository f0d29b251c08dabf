import { createReadStream } from 'node:fs'
import { cp, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { closedHeaders } from '../../response-headers.ts'
import type { Listener } from './next-pages.ts'

/** Builds before the running one whose files are still served. */
const savedBuildsMax = 3

/** What a page loads later. Other files of a build are not served from here. */
const types: Readonly<Record<string, string>> = {
  '.js': 'application/javascript; charset=UTF-8',
  '.css': 'text/css; charset=UTF-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

const unfinishedEnding = '.unfinished'

const staticPath = '/_next/static/'

interface SaveBuildOptions {
  /** Outlives the build: a folder of the machine, or a volume. */
  readonly dir: string
  /** This build's `.next/static`. */
  readonly staticDir: string
  readonly buildId: string
}

/**
 * Copies this build's static files to `dir`, for the processes after this one, and removes those of all but the last builds.
 * Returns the files of the builds before this one, by path. Their names are hashes of what is in them.
 */
export async function saveBuild({
  dir,
  staticDir,
  buildId,
}: SaveBuildOptions): Promise<ReadonlyMap<string, string>> {
  await mkdir(dir, { recursive: true })
  await copyOnce(staticDir, join(dir, buildId))
  const now = new Date()
  await utimes(join(dir, buildId), now, now)
  const others = await buildsIn(dir, buildId)
  for (const name of others.slice(savedBuildsMax)) await rm(join(dir, name), { recursive: true, force: true })
  const files = new Map<string, string>()
  // The newest last, so that it counts where two have a file of one name.
  for (const name of others.slice(0, savedBuildsMax).toReversed())
    for (const [path, file] of await filesIn(join(dir, name))) files.set(path, file)
  for (const path of (await filesIn(staticDir)).keys()) files.delete(path)
  return files
}

/** Serves the files of older builds, which pages that were opened before this build load later. The rest is Next's. */
export function withSavedBuilds(next: Listener, files: ReadonlyMap<string, string>): Listener {
  return async (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    const file = path.startsWith(staticPath) ? files.get(path) : undefined
    if (file === undefined) return next(request, response)
    response.writeHead(200, {
      ...closedHeaders,
      'content-type': types[extname(file)],
      'cache-control': 'public, max-age=31536000, immutable',
    })
    if (request.method === 'HEAD') response.end()
    else await pipeline(createReadStream(file), response).catch(() => response.destroy())
  }
}

/** Under another name first: another process may look, and this one may end meanwhile. */
async function copyOnce(from: string, to: string): Promise<void> {
  if ((await stat(to).catch(() => null)) !== null) return
  const unfinished = `${to}.${process.pid}${unfinishedEnding}`
  await cp(from, unfinished, { recursive: true })
  // Fails where another process was faster, which copied the same.
  await rename(unfinished, to).catch(() => rm(unfinished, { recursive: true, force: true }))
}

/** The newest first. */
async function buildsIn(dir: string, except: string): Promise<readonly string[]> {
  const entries = await readdir(dir, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isDirectory() && entry.name !== except && !entry.name.endsWith(unfinishedEnding))
    .map(({ name }) => name)
  const builds = await Promise.all(
    names.map(async (name) => ({ name, atMs: (await stat(join(dir, name))).mtimeMs })),
  )
  return builds.toSorted((one, other) => other.atMs - one.atMs).map(({ name }) => name)
}

async function filesIn(dir: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true })
  return new Map(
    entries
      .filter((entry) => entry.isFile() && extname(entry.name) in types)
      .map(({ parentPath, name }) => {
        const file = join(parentPath, name)
        return [staticPath + file.slice(dir.length + 1), file] as const
      }),
  )
}
