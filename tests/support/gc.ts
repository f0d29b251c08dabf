import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Collects what is garbage: all of it, or with `minor` only what is young, as happens many times a second under load. */
const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void

/**
 * Bytes by which the heap has grown when `turn` has run so often, minor collections in between and none of the whole. Needs a
 * process in which no other tests have run.
 */
export async function growthOf(
  turns: number,
  turn: (index: number) => void | Promise<void>,
): Promise<number> {
  const settle = () => {
    for (let times = 0; times < 3; times++) collect({ type: 'minor' })
  }
  // What is there from the start must have grown old.
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
