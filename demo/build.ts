import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { checkBuild } from '../scripts/check-build.ts'
import { startChild } from './child.ts'
import type { Keeper } from './keeper.ts'
import { say } from './say.ts'

/** What Next says where another process builds the same app. */
const builtElsewhere = 'Another next build process is already running'

/** Builds the app if its build is missing or stale. Throws with the last output if the build fails. */
export async function ensureBuild(root: string, keeper: Keeper): Promise<void> {
  const state = checkBuild(root)
  if (state.reason === null) return say('the build is up to date')
  say(`${state.reason}: building it, which takes a minute or two (output in .demo/build.log)…`)
  if (await runBuild(root, keeper)) {
    state.keep()
    return say('built')
  }
  say('another process builds it: waiting for it…')
  await pause(5000)
  return ensureBuild(root, keeper)
}

/** Returns false where another process already builds it. */
async function runBuild(root: string, keeper: Keeper): Promise<boolean> {
  const builder = startChild([join(root, 'node_modules/next/dist/bin/next'), 'build'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    logPath: join(root, '.demo/build.log'),
    keeper,
  })
  const progress = setInterval(() => say('still building…'), 15_000)
  const how = await builder.ended
  clearInterval(progress)
  await builder.stop()
  if (builder.lastOutput().includes(builtElsewhere)) return false
  if (how !== 'exit code 0') throw new Error(`The build failed (${how}).\n${builder.lastOutput()}`)
  return true
}
