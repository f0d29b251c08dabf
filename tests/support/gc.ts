import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
/** Collects what is garbage: all of it, or with `minor` only what is young, as happens many times a second under load. */
export const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void

/** Bytes by which the heap has grown when `turn` has run so often, minor collections in between and none of the whole. */
export async function growthOf(
  turns: number,
  turn: (index: number) => void | Promise<void>,
): Promise<number> {
  // What is there from the start must have grown old.
  for (let index = 0; index < 10; index++) await turn(index)
  collect()
  for (let index = 0; index < 3; index++) collect({ type: 'minor' })
  const before = process.memoryUsage().heapUsed
  for (let index = 0; index < turns; index++) {
    await turn(10 + index)
    if (index % 100 === 0) collect({ type: 'minor' })
  }
  for (let index = 0; index < 3; index++) collect({ type: 'minor' })
  return process.memoryUsage().heapUsed - before
}
