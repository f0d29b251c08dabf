import { createHash } from 'node:crypto'

/** For so long the numbers are the same. */
const slotMs = 10_000

/** Numbers in [0, 1) that are the same in all processes whose clocks agree, and others ten seconds later. */
export function createSharedRandom(now: () => number): () => () => number {
  return () => {
    const slot = Math.floor(now() / slotMs)
    let count = 0
    return () => createHash('sha256').update(`${slot} ${count++}`).digest().readUInt32BE() / 2 ** 32
  }
}
