import { join } from 'node:path'
import { ensureBuild } from '../../../demo/build.ts'
import { startKeeper } from '../../../demo/keeper.ts'

/** Builds the app before the first test if its build is missing or stale. */
export default async function build(): Promise<void> {
  const keeper = startKeeper()
  await ensureBuild(join(import.meta.dirname, '../../..'), keeper)
  keeper.close()
}
