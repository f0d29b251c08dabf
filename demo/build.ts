import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChild } from './child.ts'
import type { Keeper } from './keeper.ts'
import { say } from './say.ts'

/** The inputs of a build. Missing ones are ignored. */
const sources = [
  'app',
  'contracts',
  'lib',
  'rpc-proxy',
  'public',
  'instrumentation.ts',
  'instrumentation-client.ts',
  'next.config.mjs',
  'package-lock.json',
  'package.json',
  'proxy.ts',
  'quorate.config.ts',
  'scripts/finish-static.mjs',
  'scripts/host-packages.mjs',
  'site.config.ts',
  'tokens.json',
  'tsconfig.json',
  'tsconfig.next.json',
]

/** What `npm pack ./rpc-proxy` makes beside the sources. */
const packed = ['rpc-proxy/dist/', 'rpc-proxy/LICENSE']

/** What Next says where another process builds the same app. */
const builtElsewhere = 'Another next build process is already running'

export type BuildState = {
  /** Why a build is needed; null if the existing one is up to date. */
  readonly reason: string | null
  /** Call this after a successful build of these sources. */
  keep(): void
}

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

/** Compares the sources of `.next` with the current ones. */
export function checkBuild(root: string): BuildState {
  const stampPath = join(root, '.demo/build.json')
  const idPath = join(root, '.next/BUILD_ID')
  const hash = hashOf(root)
  const keep = () => {
    mkdirSync(join(root, '.demo'), { recursive: true })
    writeFileSync(stampPath, `${JSON.stringify({ hash, id: readFileSync(idPath, 'utf8') })}\n`)
  }
  if (!existsSync(idPath)) return { reason: 'the app has not been built yet', keep }
  const stamp = existsSync(stampPath) ? (JSON.parse(readFileSync(stampPath, 'utf8')) as Stamp) : null
  if (stamp?.id === readFileSync(idPath, 'utf8')) {
    return { reason: stamp.hash === hash ? null : 'the sources have changed since the last build', keep }
  }
  // A build by `npm run build` is accepted if nothing has changed since.
  if (newest(root) < statSync(idPath).mtimeMs) {
    keep()
    return { reason: null, keep }
  }
  return { reason: 'the build may be older than the sources', keep }
}

type Stamp = { readonly hash: string; readonly id: string }

function hashOf(root: string): string {
  const hash = createHash('sha256')
  for (const file of filesOf(root)) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function newest(root: string): number {
  return Math.max(...filesOf(root).map((file) => statSync(join(root, file)).mtimeMs))
}

function filesOf(root: string): readonly string[] {
  return sources
    .filter((source) => existsSync(join(root, source)))
    .flatMap((source) =>
      statSync(join(root, source)).isDirectory()
        ? readdirSync(join(root, source), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
            .sort()
        : [source],
    )
    .filter((file) => !packed.some((path) => file.startsWith(path)))
}
