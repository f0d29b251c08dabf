import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chosen, root, secondsSince, step } from './steps.ts'

/**
 * `npm run verify`: what must hold before a commit is shared, quickest first; each step runs, and the last line names all that failed.
 * `npm run verify -- lint types` runs only those.
 */
const steps = [
  { name: 'format', run: () => step('biome', ['format', '.']) },
  {
    name: 'lint',
    run: () => step('biome', ['check', '--formatter-enabled=false', '--error-on-warnings', '.']),
  },
  { name: 'types', run: () => step('tsc', ['--project', 'tsconfig.json']) },
  { name: 'engine-types', run: checkEngine },
  { name: 'layers', run: () => step('vitest', ['run', '--project', 'unit', 'tests/architecture']) },
  { name: 'unused', run: () => step('knip', []) },
  { name: 'unit', run: () => step('vitest', ['run', '--project', '!live*']) },
  { name: 'build', run: () => step('npm', ['run', 'build']) },
] as const

const failed: string[] = []
for (const { name, run } of chosen(steps, process.argv.slice(2))) {
  const startedAt = Date.now()
  const code = await run()
  if (code !== 0) failed.push(name)
  console.log(`verify: ${name} ${code === 0 ? 'holds' : 'FAILS'} (${secondsSince(startedAt)})`)
}
if (failed.length > 0) {
  console.error(`\nverify failed at: ${failed.join(', ')}`)
  process.exitCode = 1
}

/** Nothing to check where the engine is a package. */
async function checkEngine(): Promise<number> {
  return existsSync(join(root, 'rpc-proxy')) ? step('tsc', ['--project', 'rpc-proxy/tsconfig.json']) : 0
}
