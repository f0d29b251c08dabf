import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/** Where a light client goes on after a restart: the root of the last beacon block that it has proven to be final. */
export interface ReachedRoot {
  /** Null where nothing is known that was reached from this checkpoint. */
  readonly read: () => string | null
  /** Null, or why it could not be written. */
  readonly write: (root: string) => string | null
}

export const noReachedRoot: ReachedRoot = { read: () => null, write: () => null }

const root = z.string().regex(/^0x[0-9a-f]{64}$/)
const content = z.object({ checkpoint: root, reached: root })

/** A file that is missing, cut off or of another checkpoint is as none: the client begins at the checkpoint. */
export function createReachedFile(path: string, checkpoint: string): ReachedRoot {
  return {
    read() {
      try {
        const parsed = content.parse(JSON.parse(readFileSync(path, 'utf8')))
        return parsed.checkpoint === checkpoint ? parsed.reached : null
      } catch {
        return null
      }
    },
    write(reached) {
      try {
        writeFileSync(`${path}.new`, JSON.stringify({ checkpoint, reached }))
        renameSync(`${path}.new`, path)
        return null
      } catch (cause) {
        return `beacon.file cannot be written: ${(cause as NodeJS.ErrnoException).code}`
      }
    },
  }
}
