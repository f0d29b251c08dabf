import { cp, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { builtFilesIn } from './built-files.ts'

/** Builds before the running one whose files are still served. */
const savedBuildsMax = 3

const unfinishedEnding = '.unfinished'

interface SaveBuildOptions {
  /** Outlives the build: a folder of the machine, or a volume. */
  readonly dir: string
  /** This build's `.next/static`. */
  readonly staticDir: string
  readonly buildId: string
}

/**
 * Copies this build's static files to `dir`, for the processes after this one, and removes those of all but the last builds.
 * Returns the files of the builds before this one, then its own, by path: the newest counts where two have a file of one name.
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
  const before = others.slice(0, savedBuildsMax).toReversed()
  const dirs = [...before.map((name) => join(dir, name)), staticDir]
  return new Map((await Promise.all(dirs.map(builtFilesIn))).flatMap((files) => [...files]))
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
