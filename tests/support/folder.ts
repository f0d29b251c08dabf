import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** An empty folder, which is removed at the end of the test file. */
export function folderForOneFile(): string {
  return emptyFolder(afterAll)
}

/** An empty folder, which is removed at the end of the test. */
export function folderForOneTest(): string {
  return emptyFolder(onTestFinished)
}

function emptyFolder(atEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-'))
  atEnd(() => rmSync(folder, { recursive: true }))
  return folder
}
