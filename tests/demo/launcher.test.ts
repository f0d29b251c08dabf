import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startApp } from '../../demo/app.ts'
import { demoChains } from '../../demo/demo-chains.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { startKeeper } from '../../demo/keeper.ts'
import { checkPorts, freePort } from '../../demo/ports.ts'
import { checkBuild } from '../../scripts/check-build.ts'
import { folderForOneTest } from '../support/folder.ts'
import { listen } from '../support/listen.ts'
import { postJson } from '../support/post-json.ts'
import { isGone } from '../support/processes.ts'
import { until } from '../support/until.ts'

/** `npm run demo` in its own clone, with a stub as the built app: the test is about everything around it. */
const root = join(import.meta.dirname, '../..')

const stub = `
  import { createServer } from 'node:http'
  import { existsSync } from 'node:fs'
  if (existsSync('.env')) process.loadEnvFile('.env')
  if (process.env.STUB === 'dies') { console.log('the stub is not well'); process.exit(7) }
  process.on('SIGTERM', () => { console.log('the stub says goodbye'); process.exit(0) })
  const said = { pid: process.pid, ...process.env }
  createServer((_, response) => response.end(JSON.stringify(said))).listen(process.env.PORT, process.env.HOST)
`

let clone: string
const at = (path: string) => join(clone, path)

beforeEach(() => {
  clone = folderForOneTest()
  const copied = 'demo contracts scripts package.json quorate.config.ts site.config.ts tokens.json'
  for (const name of copied.split(' ')) cpSync(join(root, name), at(name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), at('node_modules'))
  writeFileSync(at('server.ts'), stub)
  mkdirSync(at('app'))
  writeFileSync(at('app/page.tsx'), 'export default () => null\n')
  buildAt(Date.now() + 60_000)
})

/** Creates the output of `next build`, finished at this time. */
function buildAt(ms: number, id = 'one'): void {
  mkdirSync(at('.next'), { recursive: true })
  writeFileSync(at('.next/BUILD_ID'), id)
  utimesSync(at('.next/BUILD_ID'), ms / 1000, ms / 1000)
}

/** Starts the demo on a free port; a test that fails leaves none behind. */
async function launch(args: readonly string[] = [], more: Record<string, string> = {}) {
  const env = { PORT: String(await freePort()), ...more }
  const child = spawn(process.execPath, ['demo/main.ts', ...args], {
    cwd: clone,
    env: { ...process.env, ...env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  const ended = once(child, 'exit').then(([code, signal]) => signal ?? code)
  const up = async () => {
    const isUp = () => text.includes('Ctrl-C stops all of it')
    await Promise.race([until(isUp), ended])
    if (!isUp()) throw new Error(`the demo did not come up: ${text}`)
    const response = await fetch(`http://127.0.0.1:${env.PORT}`)
    return { app: (await response.json()) as Record<string, string>, config: configOf() }
  }
  return { child, text: () => text, ended, up, port: env.PORT }
}

/** The ids of the chains that still run. */
async function runningOf({ chains }: Config) {
  const asked = chains.map(({ publicUrls: [url = ''] }) => callNode(url, 'eth_chainId').catch(() => null))
  return (await Promise.all(asked)).filter((id) => id !== null)
}

type Config = {
  chains: { id: number; publicUrls: string[]; nodes: { name: string; url: string; role: string }[] }[]
}
const configOf = () => JSON.parse(readFileSync(at('.demo/rpc-config.json'), 'utf8')) as Config

describe('npm run demo', () => {
  test('starts each chain with four voters and three witnesses and a configured app, and stops them all', async () => {
    const { child, text, ended, up, port } = await launch()
    const { app, config } = await up()
    expect(JSON.parse(app.RPC_CONFIG ?? '')).toEqual(config)
    expect(app).toMatchObject({ DEMO: '1', OPERATOR_OPEN: '1', NODE_ENV: 'production', PORT: port })
    const chains = JSON.parse(JSON.stringify(demoChains.map(({ facts }) => facts)))
    expect(config).toMatchObject({ rate: null, chains })
    const balance = ['eth_getBalance', ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x1']] as const
    for (const { nodes, publicUrls } of config.chains) {
      const truth = await callNode(publicUrls[0] ?? '', ...balance)
      const said = await Promise.all(nodes.map(({ url }) => callNode(url, ...balance)))
      expect(said.map((value) => value === truth)).toEqual([true, true, true, false, true, true, true])
      const isWitness = nodes.map(({ role }) => role === 'witness')
      expect(isWitness).toEqual([false, false, false, false, true, true, true])
      for (const { url } of nodes) expect(text()).toContain(url)
    }
    const last = config.chains.at(-1)
    const command = { chain: last?.id, node: 'late', faultProfile: 'erring' }
    expect((await postJson(app.DEMO_CONTROL_URL ?? '', command)).status).toBe(200)
    await expect(callNode(last?.nodes[2]?.url ?? '', 'eth_chainId')).rejects.toThrow()

    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(isGone(Number(app.pid))).toBe(true)
    expect(readFileSync(at('.demo/app.log'), 'utf8')).toContain('the stub says goodbye')
    expect(await runningOf(config)).toEqual([])
    expect(existsSync(at('.demo/rpc-config.json'))).toBe(false)
  })

  test('leaves nothing running when it is killed', async () => {
    const { child, ended, up } = await launch()
    const { app, config } = await up()
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    await until(async () => isGone(Number(app.pid)) && (await runningOf(config)).length === 0)
  })

  test('reports that the port is taken, before it starts anything', async () => {
    const holder = createServer()
    const port = await listen(holder)
    const { text, ended } = await launch([], { PORT: String(port) })
    expect(await ended).toBe(1)
    expect(text()).toContain(`Port ${port} is taken.`)
    expect(text()).not.toContain('starting')
    holder.close()
  })

  test.each<[string, string[], Record<string, string>, string]>([
    ['an unknown argument', ['--fast'], {}, 'usage: npm run demo'],
    ['a port that is none', [], { PORT: 'x' }, 'x is no port'],
    ['the app', [], { STUB: 'dies' }, 'The app ended by itself (exit code 7).\nthe stub is not well'],
  ])('ends with %s, and says why', async (_, args, env, why) => {
    const { text, ended } = await launch(args, env)
    expect(await ended).toBe(1)
    expect(text()).toContain(why)
  })

  test('ignores the configuration file in .env, which is for npm start', async () => {
    writeFileSync(at('.env'), 'RPC_CONFIG_FILE=/chains.json\n')
    const [port, keeper] = [await freePort(), startKeeper()]
    const options = { root: clone, host: 'node', port, address: '127.0.0.1', keeper } as const
    const app = startApp({ config: { chains: [] }, controlUrl: '' } as never, options)
    const read = () => fetch(`http://127.0.0.1:${port}`).catch(() => null)
    await until(async () => (await read()) !== null)
    expect(await (await read())?.json()).toMatchObject({ RPC_CONFIG: '{"chains":[]}', RPC_CONFIG_FILE: '' })
    await app.stop()
    keeper.close()
  })

  test('a build that fails ends the demo, with its last output', async () => {
    rmSync(at('.next'), { recursive: true })
    writeFileSync(at('next.config.mjs'), 'throw new Error("this build cannot be")\n')
    const { text, ended } = await launch()
    expect(await ended).toBe(1)
    expect(text()).toContain('the app has not been built yet')
    expect(text()).toContain('this build cannot be')
  })

  test('uses the given ports', async () => {
    const from = await freeRun(25)
    const { child, up, ended } = await launch([`--ports-from=${from}`], { HOST: '0.0.0.0' })
    const { chains } = (await up()).config
    // The control port, then each chain and its seven nodes.
    const urls = [1, 9, 17].map((offset) => `http://127.0.0.1:${from + offset}`)
    expect(chains.map(({ publicUrls }) => publicUrls[0])).toEqual(urls)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })
})

/** The first of this many consecutive free ports, between those that `freePort` gives and the ephemeral ones. */
async function freeRun(length: number): Promise<number> {
  for (let from = 30_000 + (process.pid % 100) * length; ; from += length) {
    const ports = Array.from({ length }, (_, offset) => from + offset)
    const refused = await Promise.allSettled(ports.map((port) => checkPorts(port, '127.0.0.1')))
    if (refused.every(({ status }) => status === 'fulfilled')) return from
  }
}

describe('the build', () => {
  const reason = () => checkBuild(clone).reason

  test('runs when there is none', () => {
    rmSync(at('.next'), { recursive: true })
    expect(reason()).toBe('the app has not been built yet')
  })

  test('is kept while the sources are the same, and repeated when one is changed, added or removed', () => {
    checkBuild(clone).keep()
    expect(reason()).toBeNull()
    const changed = 'the sources have changed since the last build'
    for (const path of ['app/page.tsx', 'tokens.json', 'scripts/finish-static.mjs']) {
      const text = readFileSync(at(path))
      writeFileSync(at(path), '{}')
      expect(reason(), path).toBe(changed)
      writeFileSync(at(path), text)
      expect(reason(), path).toBeNull()
    }
    writeFileSync(at('app/other.tsx'), '')
    expect(reason()).toBe(changed)
    rmSync(at('app/other.tsx'))
    // As `npm pack ./rpc-proxy` leaves it.
    mkdirSync(at('rpc-proxy/dist'), { recursive: true })
    writeFileSync(at('rpc-proxy/dist/index.js'), '')
    expect(reason()).toBeNull()
    rmSync(at('app/page.tsx'))
    expect(reason()).toBe(changed)
  })

  test('by another command is used when it is newer than every source, not when it is older', () => {
    expect(reason()).toBeNull()
    buildAt(Date.now() - 60_000, 'two')
    expect(reason()).toBe('the build may be older than the sources')
  })
})
