import { type ChildProcess, spawn } from 'node:child_process'
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
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startApp } from '../../demo/app.ts'
import { demoChains } from '../../demo/demo-chains.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { startKeeper } from '../../demo/keeper.ts'
import { checkPorts, freePort } from '../../demo/ports.ts'
import { checkBuild } from '../../scripts/check-build.ts'
import { folderForOneTest } from '../support/folder.ts'
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
let demo: ChildProcess | undefined

beforeEach(() => {
  clone = folderForOneTest()
  for (const name of ['demo', 'contracts', 'scripts'])
    cpSync(join(root, name), join(clone, name), { recursive: true })
  for (const name of ['package.json', 'quorate.config.ts', 'site.config.ts', 'tokens.json'])
    cpSync(join(root, name), join(clone, name))
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  writeFileSync(join(clone, 'server.ts'), stub)
  mkdirSync(join(clone, 'app'))
  writeFileSync(join(clone, 'app/page.tsx'), 'export default () => null\n')
  buildAt(Date.now() + 60_000)
})

afterEach(async () => {
  demo?.kill('SIGKILL')
  demo = undefined
})

/** Creates the output of `next build`, finished at this time. */
function buildAt(ms: number, id = 'one'): void {
  mkdirSync(join(clone, '.next'), { recursive: true })
  writeFileSync(join(clone, '.next/BUILD_ID'), id)
  utimesSync(join(clone, '.next/BUILD_ID'), ms / 1000, ms / 1000)
}

function launch(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['demo/main.ts', ...args], {
    cwd: clone,
    env: { ...process.env, ...env },
  })
  demo = child
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  const ended = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(signal ?? code ?? -1)),
  )
  const up = async () => {
    const isUp = () => text.includes('Ctrl-C stops all of it')
    await Promise.race([until(isUp), ended])
    if (!isUp()) throw new Error(`the demo did not come up: ${text}`)
  }
  return { child, text: () => text, ended, up }
}

async function anvilsOf(config: Config): Promise<boolean[]> {
  return Promise.all(
    config.chains.map(({ publicUrls: [url = ''] }) =>
      callNode(url, 'eth_chainId').then(
        () => true,
        () => false,
      ),
    ),
  )
}

type Config = {
  chains: { id: number; publicUrls: string[]; nodes: { name: string; url: string; role: string }[] }[]
}
const configOf = () => JSON.parse(readFileSync(join(clone, '.demo/rpc-config.json'), 'utf8')) as Config

describe('npm run demo', () => {
  test('starts each chain with four voters and three witnesses and a configured app, and stops them all', async () => {
    const port = String(await freePort())
    const { child, text, ended, up } = launch([], { PORT: port })
    await up()

    const app = (await (await fetch(`http://127.0.0.1:${port}`)).json()) as Record<string, string>
    const config = configOf()
    expect(JSON.parse(app.RPC_CONFIG ?? '')).toEqual(config)
    expect(app).toMatchObject({ DEMO: '1', OPERATOR_OPEN: '1', NODE_ENV: 'production', PORT: port })
    expect(config).toMatchObject({
      rate: null,
      chains: JSON.parse(JSON.stringify(demoChains.map(({ facts }) => facts))),
    })
    const balance = ['eth_getBalance', ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x1']] as const
    for (const { nodes, publicUrls } of config.chains) {
      const truth = await callNode(publicUrls[0] ?? '', ...balance)
      const said = await Promise.all(nodes.map(({ url }) => callNode(url, ...balance)))
      expect(said.map((value) => value === truth)).toEqual([true, true, true, false, true, true, true])
      expect(nodes.map(({ role }) => role === 'witness')).toEqual([
        ...Array(4).fill(false),
        ...Array(3).fill(true),
      ])
      for (const { url } of nodes) expect(text()).toContain(url)
    }
    const last = config.chains.at(-1)
    const controlled = await fetch(app.DEMO_CONTROL_URL ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chain: last?.id, node: 'late', faultProfile: 'erring' }),
    })
    expect(controlled.status).toBe(200)
    await expect(callNode(last?.nodes[2]?.url ?? '', 'eth_chainId')).rejects.toThrow()

    child.kill('SIGINT')
    expect(await ended).toBe(0)
    expect(isGone(Number(app.pid))).toBe(true)
    expect(readFileSync(join(clone, '.demo/app.log'), 'utf8')).toContain('the stub says goodbye')
    expect(await anvilsOf(config)).not.toContain(true)
    expect(existsSync(join(clone, '.demo/rpc-config.json'))).toBe(false)
  })

  test('leaves nothing running when it is killed', async () => {
    const port = String(await freePort())
    const { child, ended, up } = launch([], { PORT: port })
    await up()
    const app = (await (await fetch(`http://127.0.0.1:${port}`)).json()) as { pid: number }
    const config = configOf()
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    await until(async () => isGone(app.pid) && !(await anvilsOf(config)).includes(true))
  })

  test('reports that the port is taken, before it starts anything', async () => {
    const port = await freePort()
    const holder = createServer()
    await new Promise<void>((resolve) => holder.listen(port, '127.0.0.1', resolve))
    const { text, ended } = launch([], { PORT: String(port) })
    expect(await ended).toBe(1)
    expect(text()).toContain(`Port ${port} is taken.`)
    expect(text()).not.toContain('starting')
    holder.close()
  })

  test('an app that dies ends the demo, with its last output', async () => {
    const { text, ended } = launch([], { PORT: String(await freePort()), STUB: 'dies' })
    expect(await ended).toBe(1)
    expect(text()).toContain('The app ended by itself (exit code 7).\nthe stub is not well')
  })

  test('ignores the configuration file in .env, which is for npm start', async () => {
    writeFileSync(join(clone, '.env'), 'RPC_CONFIG_FILE=/chains.json\n')
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
    rmSync(join(clone, '.next'), { recursive: true })
    writeFileSync(join(clone, 'next.config.mjs'), 'throw new Error("this build cannot be")\n')
    const { text, ended } = launch([], { PORT: String(await freePort()) })
    expect(await ended).toBe(1)
    expect(text()).toContain('the app has not been built yet')
    expect(text()).toContain('this build cannot be')
  })

  test('uses the given ports', async () => {
    const from = await freeRun(25)
    const { child, up, ended } = launch([`--ports-from=${from}`], {
      PORT: String(await freePort()),
      HOST: '0.0.0.0',
    })
    await up()
    // The control port, then each chain and its seven nodes.
    expect(configOf().chains.map(({ publicUrls }) => publicUrls[0])).toEqual(
      [1, 9, 17].map((offset) => `http://127.0.0.1:${from + offset}`),
    )
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  test('refuses invalid arguments and ports', async () => {
    const mistaken = launch(['--fast'], {})
    expect(await mistaken.ended).toBe(1)
    expect(mistaken.text()).toContain('usage: npm run demo')
    const unheard = launch([], { PORT: 'x' })
    expect(await unheard.ended).toBe(1)
    expect(unheard.text()).toContain('x is no port')
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
    rmSync(join(clone, '.next'), { recursive: true })
    expect(reason()).toBe('the app has not been built yet')
  })

  test('is kept while the sources are the same, and repeated when one is changed, added or removed', () => {
    checkBuild(clone).keep()
    expect(reason()).toBeNull()
    const changed = 'the sources have changed since the last build'
    writeFileSync(join(clone, 'app/page.tsx'), 'export default () => "x"\n')
    expect(reason()).toBe(changed)
    writeFileSync(join(clone, 'app/page.tsx'), 'export default () => null\n')
    expect(reason()).toBeNull()
    writeFileSync(join(clone, 'app/other.tsx'), '')
    expect(reason()).toBe(changed)
    rmSync(join(clone, 'app/other.tsx'))
    const tokens = readFileSync(join(clone, 'tokens.json'), 'utf8')
    writeFileSync(join(clone, 'tokens.json'), '{}')
    expect(reason()).toBe(changed)
    writeFileSync(join(clone, 'tokens.json'), tokens)
    const step = readFileSync(join(clone, 'scripts/finish-static.mjs'), 'utf8')
    writeFileSync(join(clone, 'scripts/finish-static.mjs'), '')
    expect(reason()).toBe(changed)
    writeFileSync(join(clone, 'scripts/finish-static.mjs'), step)
    // As `npm pack ./rpc-proxy` leaves it.
    mkdirSync(join(clone, 'rpc-proxy/dist'), { recursive: true })
    writeFileSync(join(clone, 'rpc-proxy/dist/index.js'), '')
    expect(reason()).toBeNull()
    rmSync(join(clone, 'app/page.tsx'))
    expect(reason()).toBe(changed)
  })

  test('by another command is used when it is newer than every source, not when it is older', () => {
    expect(reason()).toBeNull()
    buildAt(Date.now() - 60_000, 'two')
    expect(reason()).toBe('the build may be older than the sources')
  })
})
