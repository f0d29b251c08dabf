import { execFileSync, spawn } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callNode } from '../../demo/json-rpc.ts'
import { freePort } from '../../demo/ports.ts'
import { startStage } from '../../demo/stage.ts'
import { root } from '../../scripts/steps.ts'
import { linkPackages } from '../support/link-packages.ts'

/**
 * `npm test -- package`: the engine as others install it. Packed, it answers by each example of `rpc-proxy/examples` in Node, Bun and Deno as
 * the chain does; and a fork with other chains that consumes it (`npm run use-engine-package`) is type-checked, tested, built and answers
 * too. `npm test -- package-e2e`: that fork passes the browser suites, and those of sockets.
 */
const isOfBrowser = process.argv.includes('--e2e')
const account = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const startMsMax = 120_000
mkdirSync(join(root, '.demo'), { recursive: true })
const work = mkdtempSync(join(root, '.demo/package-'))
const stage = await startStage()
try {
  const fork = copyProject()
  const packed = run(join(fork, 'rpc-proxy'), 'npm', 'pack', '--silent', '--pack-destination', work)
  const tarball = join(work, packed.trim())
  if (!isOfBrowser) await tryExamples(tarball)
  await tryFork(fork, tarball)
} finally {
  await stage.stop()
  rmSync(work, { recursive: true, force: true })
}

async function tryExamples(tarball: string): Promise<void> {
  const folder = join(work, 'hosts')
  cpSync(join(import.meta.dirname, 'hosts'), folder, { recursive: true })
  cpSync(join(root, 'rpc-proxy/examples'), folder, { recursive: true })
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run(folder, 'npm', 'ci', ...quietly)
  run(folder, 'npm', 'install', '--no-save', ...quietly, tarball)
  const program = (pattern: string) => join(folder, globSync(pattern, { cwd: folder })[0] ?? pattern)
  const bun = program('node_modules/@oven/*/bin/bun')
  const deno = program('node_modules/@deno/*/deno')
  await answers('Hono', folder, [process.execPath, 'hono.mjs'])
  await answers('Express', folder, [process.execPath, 'express.mjs'])
  await answers('Bun', folder, [bun, 'bun.mjs'])
  await answers('Deno', folder, [deno, 'run', '--allow-env', '--allow-net', '--allow-read', 'deno.mjs'])
}

function copyProject(): string {
  const folder = join(work, 'fork')
  for (const path of run(root, 'git', 'ls-files', '-z').split('\0').filter(Boolean))
    cpSync(join(root, path), join(folder, path))
  linkPackages(folder)
  return folder
}

/** Other chains, another name, and code that follows no style rule of the base: no suite is edited for it. */
function adopt(folder: string): void {
  edit(join(folder, 'quorate.config.ts'), [
    ['id: 137,', 'id: 8453,'],
    ["name: 'Polygon'", "name: 'Base'"],
    ["currency: { name: 'POL', symbol: 'POL', decimals: 18 },", ''],
    ['id: 42161,', 'id: 10,'],
    ["name: 'Arbitrum One'", "name: 'OP Mainnet'"],
  ])
  edit(join(folder, 'site.config.ts'), [
    ["name: 'Quorate'", "name: 'Vaultine'"],
    ['initialChainId: 137', 'initialChainId: 8453'],
    ["chainId: 137, symbol: 'USDC'", "chainId: 8453, symbol: 'USDC'"],
    ['chainId: 137,\n    symbol', 'chainId: 8453,\n    symbol'],
    ["chainId: 42161, symbol: 'USDC'", "chainId: 10, symbol: 'USDC'"],
  ])
  edit(join(folder, 'tokens.json'), [
    ['"chainId": 137,', '"chainId": 8453,'],
    ['"chainId": 42161,', '"chainId": 10,'],
  ])
  const files = {
    'app/(yours)/stake/page.tsx':
      "import { told } from '#lib/yours/format.ts'\n\nexport default function Page() {\n  return <h1>{told}</h1>\n}\n",
    // Two of this name, and a word that the glossary has another for.
    'lib/yours/format.ts': "export const told = 'Stake'\n",
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

function edit(path: string, changes: readonly (readonly [from: string, to: string])[]): void {
  const changed = changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${path} has no ${from}`)
      return text.replaceAll(from, () => to)
    },
    readFileSync(path, 'utf8'),
  )
  writeFileSync(path, changed)
}

async function tryFork(folder: string, tarball: string): Promise<void> {
  adopt(folder)
  run(folder, process.execPath, 'scripts/use-engine-package.ts', tarball)
  const bin = (name: string) => join(folder, 'node_modules/.bin', name)
  if (isOfBrowser) {
    // A test that depends on the chains fails twice. One that fails now and then is found by the stage `e2e`, which retries nothing.
    run(folder, bin('playwright'), 'test', '--project=e2e', '--retries=1')
    for (const project of ['live', 'live-siege']) run(folder, bin('vitest'), 'run', '--project', project)
    return
  }
  run(folder, process.execPath, 'scripts/verify.ts', 'types', 'engine-types', 'unused', 'layers')
  run(folder, bin('vitest'), 'run', '--project', '!live*')
  run(folder, process.execPath, 'scripts/verify.ts', 'build')
  await answers('the fork', folder, [process.execPath, 'server.ts'])
}

/** Starts a host of the engine, and compares a balance that it answers with that of the chain. */
async function answers(name: string, cwd: string, [program = '', ...args]: readonly string[]): Promise<void> {
  const PORT = String(await freePort())
  const settings = { PORT, HOST: '127.0.0.1', RPC_CONFIG: JSON.stringify(stage.config) }
  const env = { ...process.env, NODE_ENV: 'production' as const, ...settings }
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    const isUp = () => child.exitCode === null
    const reply = await balance(`http://127.0.0.1:${PORT}/api/rpc/137`, isUp)
    const chain = stage.scenes.find((scene) => scene.chain.id === 137)?.chain
    const truth = await balance(chain?.url ?? '', isUp)
    if (reply !== truth) throw new Error(`${name} says ${reply}, the chain ${truth}`)
    console.log(`${name}: ${reply}`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Asks until there is a result: a host takes a moment to start. */
async function balance(url: string, isUp: () => boolean): Promise<string> {
  const endMs = Date.now() + startMsMax
  for (;;) {
    try {
      return await callNode(url, 'eth_getBalance', [account, 'latest'])
    } catch (cause) {
      if (!isUp() || Date.now() > endMs) throw cause
    }
    await pause(200)
  }
}

function run(cwd: string, program: string, ...args: readonly string[]): string {
  const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`
  try {
    return execFileSync(program, args, {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 26,
    })
  } catch (cause) {
    const { stdout, stderr } = cause as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${program} ${args.join(' ')}\n${stdout}${stderr}`)
  }
}
