import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** An empty folder, which is removed at the end of the test file. */
export function folderForOneFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quorate-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}
