import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { callNode } from './json-rpc.ts'
import type { Keeper } from './keeper.ts'
import { freePort } from './ports.ts'

export type AnvilOptions = {
  readonly id: number
  /** Null mines a block for each transaction at once. */
  readonly blockTimeS: number | null
  /** 0 picks a free port. */
  readonly port: number
  /** Number of the first block. There are no logs and no state before it. */
  readonly firstBlock?: number
  /** Timestamp of the first block, seconds. Chains with equal hashes must share it. */
  readonly genesisS?: number
}

export type Anvil = {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Rejects when the process exits unexpectedly. */
  readonly failure: Promise<never>
  stop(): Promise<void>
}

/** anvil writes each old state to a file that grows with the chain, keeps all of them by default, and deletes none. */
const statesOnDiskMax = 256
const readyWithinMs = 60_000
const attemptsMax = 3

/** Starts one anvil and returns when it is ready. Throws with its last output if it fails. */
export async function startAnvil(options: AnvilOptions, keeper: Keeper): Promise<Anvil> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options, keeper)
    } catch (cause) {
      // Another process may take the port between the check and the bind.
      if (options.port !== 0 || attempt === attemptsMax) throw cause
    }
  }
}

async function startOnce(
  { id, blockTimeS, port: wanted, firstBlock = 0, genesisS = someTimeS() }: AnvilOptions,
  keeper: Keeper,
): Promise<Anvil> {
  const port = wanted === 0 ? await freePort() : wanted
  const states = mkdtempSync(join(tmpdir(), 'quorate-anvil-'))
  const child = spawn(
    anvilPath(),
    // Quiet: anvil prints a line per call, and reading them would cost more than the call.
    [
      '--quiet',
      '--no-cors',
      '--chain-id',
      id,
      '--port',
      port,
      ...(blockTimeS === null ? [] : ['--block-time', blockTimeS]),
      '--timestamp',
      genesisS,
      '--number',
      firstBlock,
      '--max-persisted-states',
      statesOnDiskMax,
      '--cache-path',
      states,
    ].map(String),
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  let lastOutput = ''
  let stopping = false
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lastOutput = (lastOutput + text).slice(-2000)
  })
  const gone = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      reject(
        new Error(`anvil of chain ${id} ended (${signal ?? code}) on port ${port}: ${lastOutput.trim()}`),
      ),
    )
  })
  gone.catch(() => rmSync(states, { recursive: true, force: true }))
  if (child.pid === undefined) return await gone
  const pid = child.pid
  keeper.keep(pid)
  child.once('exit', () => keeper.drop(pid))

  const url = `http://127.0.0.1:${port}`
  try {
    await Promise.race([answersAs(url, genesisS), gone])
  } catch (cause) {
    await end(child)
    throw cause
  }
  const failure = new Promise<never>((_, reject) => {
    gone.catch((cause) => {
      if (!stopping) reject(cause)
    })
  })
  failure.catch(() => {})
  return {
    url,
    port,
    pid,
    failure,
    stop() {
      stopping = true
      return end(child)
    },
  }
}

/** The genesis timestamp identifies a chain. Without this check, a port race could connect to another worker's chain. */
export function someTimeS(): number {
  return Math.floor(Date.now() / 1000) - 86_400 - Math.floor(Math.random() * 86_400 * 30)
}

async function answersAs(url: string, genesisS: number): Promise<void> {
  const deadline = Date.now() + readyWithinMs
  for (;;) {
    const genesis = await callNode<{ timestamp: string }>(url, 'eth_getBlockByNumber', [
      'earliest',
      false,
    ]).catch(() => null)
    if (genesis !== null && Number(genesis.timestamp) === genesisS) return
    if (Date.now() > deadline) throw new Error(`no anvil answered at ${url} within ${readyWithinMs} ms`)
    await pause(10)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const patience = setTimeout(() => child.kill('SIGKILL'), 2000)
  await gone
  clearTimeout(patience)
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }

/** The npm package with anvil for a platform, by `process.platform` and `process.arch`; null if there is none. */
export function anvilPackage(platform: string, arch: string): string | null {
  const architecture = architectures[arch]
  if (!['darwin', 'linux'].includes(platform) || architecture === undefined) return null
  return `@foundry-rs/anvil-${platform}-${architecture}`
}

/** The binary itself. The command of the package is a wrapper that would survive a killed parent. */
function anvilPath(): string {
  const { platform, arch } = process
  const named = anvilPackage(platform, arch)
  if (named === null)
    throw new Error(`The local chains need anvil, which does not exist for ${platform}-${arch}.`)
  try {
    const path = createRequire(import.meta.url).resolve(`${named}/bin/anvil`)
    if (existsSync(path)) return path
  } catch {
    // Reported below, with instructions.
  }
  throw new Error(`anvil is not installed: the npm package ${named} is missing. Run npm install.`)
}
