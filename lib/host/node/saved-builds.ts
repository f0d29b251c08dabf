import { randomUUID } from 'node:crypto'
import { cp, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { builtFilesIn } from './built-files.ts'

/** Builds before the running one whose files are still served. */
const savedBuildsMax = 3

const unfinishedEnding = '.unfinished'
/** An older unfinished copy is from a process that has ended. */
const unfinishedMsMax = 3_600_000

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
  const all = await foldersIn(dir)
  const others = all.filter(({ name }) => name !== buildId && !name.endsWith(unfinishedEnding))
  const abandoned = all.filter(
    ({ name, atMs }) => name.endsWith(unfinishedEnding) && atMs < now.getTime() - unfinishedMsMax,
  )
  for (const { path } of [...others.slice(savedBuildsMax), ...abandoned])
    await rm(path, { recursive: true, force: true })
  const before = others.slice(0, savedBuildsMax).toReversed()
  const dirs = [...before.map(({ path }) => path), staticDir]
  return new Map((await Promise.all(dirs.map(builtFilesIn))).flatMap((files) => [...files]))
}

/** Copies to a unique name, then renames: other processes may read or copy at the same time, and this one may end early. */
async function copyOnce(from: string, to: string): Promise<void> {
  if ((await stat(to).catch(() => null)) !== null) return
  const unfinished = `${to}.${randomUUID()}${unfinishedEnding}`
  await cp(from, unfinished, { recursive: true })
  // Fails if another process has already copied the same build.
  await rename(unfinished, to).catch(() => rm(unfinished, { recursive: true, force: true }))
}

/** Newest first. A folder that another process removes or renames at the same time counts as the oldest. */
async function foldersIn(dir: string) {
  const entries = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const folders = await Promise.all(
    entries.map(async ({ name }) => {
      const path = join(dir, name)
      const stats = await stat(path).catch(() => null)
      return { name, path, atMs: stats?.mtimeMs ?? 0 }
    }),
  )
  return folders.toSorted((one, other) => other.atMs - one.atMs)
}
