import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Runs a full garbage collection; with `minor` only of the young generation, as happens many times a second under load. */
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void

/**
 * Heap growth in bytes after running `turn` this often, with only minor collections in between. Needs a process in which no
 * other tests have run.
 */
export async function growthOf(
  turns: number,
  turn: (index: number) => void | Promise<void>,
): Promise<number> {
  const settle = () => {
    for (let times = 0; times < 3; times++) collect({ type: 'minor' })
  }
  // Moves everything allocated so far to the old generation.
  for (let index = 0; index < 10; index++) await turn(index)
  collect()
  settle()
  const before = process.memoryUsage().heapUsed
  for (let index = 10; index < turns + 10; index++) {
    await turn(index)
    if (index % 100 === 0) collect({ type: 'minor' })
  }
  settle()
  return process.memoryUsage().heapUsed - before
}
