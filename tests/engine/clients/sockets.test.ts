import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Network, WebSocketProvider } from 'ethers'
import { createPublicClient, createWalletClient, type Hex, webSocket } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { demoAccount } from '../../../demo/accounts.ts'
import { type Anvil, startAnvil } from '../../../demo/anvil.ts'
import { callNode } from '../../../demo/json-rpc.ts'
import { type Keeper, startKeeper } from '../../../demo/keeper.ts'
import { type Nodes, startNodes } from '../../../demo/nodes/start.ts'
import { freePort } from '../../../demo/ports.ts'
import { type Host, startHost } from '../../support/host.ts'

/** Clients that subscribe over a WebSocket, through a reorg, a reload and a gateway that is killed. */
const chainId = foundry.id
const account = `0x${'ac'.repeat(20)}` as const
const emitter = `0x${'e1'.repeat(20)}` as const
/** PUSH0 PUSH0 LOG0 */
const emitsOneLog = '0x5f5fa0'
const polling = { interval: 50, timeout: 60_000 }

const folder = mkdtempSync(join(tmpdir(), 'quorate-'))
const file = join(folder, 'chains.json')
let keeper: Keeper
let anvil: Anvil
let nodes: Nodes
let host: Host
let port: number

const start = async () => {
  const started = await startHost('alone', {
    env: { PORT: String(port), RPC_CONFIG_FILE: file, OPERATOR_OPEN: '1' },
  })
  keeper.keep(started.pid)
  return started.host
}
const configure = (stallMs: number) => {
  const listed = nodes.nodes.map(({ name, url }) => ({ name, url, stallMs }))
  const chain = { id: chainId, quorum: 2, headMaxAgeMs: 200, nodes: listed, deadlineMs: 60_000 }
  writeFileSync(file, JSON.stringify({ chains: [chain], rate: null }))
}
/** An empty block, or one with a log in it. */
const mine = () => callNode(anvil.url, 'anvil_mine', ['0x1'])
async function emit(): Promise<Hex> {
  const hash = await callNode<Hex>(anvil.url, 'eth_sendTransaction', [
    { from: account, to: emitter, gas: '0x186a0' },
  ])
  await mine()
  return hash
}
const headOf = async () => Number(await callNode<Hex>(anvil.url, 'eth_blockNumber'))
const url = () => `ws://127.0.0.1:${port}/api/rpc/${chainId}`
/** Subscriptions that have begun. */
const subscribed = () =>
  fetch(`http://127.0.0.1:${port}/api/rpc/metrics`)
    .then((response) => response.text())
    .then((text) => Number(/^quorate_limit_used\{limit="subscriptions"\} (\d+)/m.exec(text)?.[1]))

beforeAll(async () => {
  keeper = startKeeper()
  anvil = await startAnvil({ id: chainId, blockTimeS: 3600, port: 0 }, keeper)
  await callNode(anvil.url, 'anvil_setCode', [emitter, emitsOneLog])
  await callNode(anvil.url, 'anvil_setBalance', [account, '0x8ac7230489e80000'])
  await callNode(anvil.url, 'anvil_impersonateAccount', [account])
  const honest = ['a', 'b', 'c'].map((name) => ({ name, faultProfile: 'honest' as const }))
  nodes = await startNodes({ chainUrl: anvil.url, nodes: honest })
  port = await freePort()
  configure(750)
  host = await start()
})
afterAll(async () => {
  host.signal('SIGKILL')
  await host.ended
  await nodes.stop()
  await anvil.stop()
  keeper.close()
  rmSync(folder, { recursive: true })
})

describe('viem', () => {
  test('is told every block and every log over a reorg, a reload and a killed gateway', async () => {
    // After an attempt that fails viem tries again when it would ping next.
    const keepAlive = { interval: 1_000 }
    const transport = webSocket(url(), { reconnect: { attempts: 10_000, delay: 100 }, keepAlive })
    const client = createPublicClient({ chain: foundry, transport })
    const errors: Error[] = []
    const heads: { readonly number: Hex; readonly hash: Hex; readonly parentHash: Hex }[] = []
    const logs: { readonly blockNumber: number; readonly removed: boolean }[] = []
    const onError = (error: Error) => void errors.push(error)
    expect(await client.getChainId()).toBe(chainId)
    // viem's watchBlocks reads each block again, and reports it when that read ends.
    const { unsubscribe } = await client.transport.subscribe({
      params: ['newHeads'],
      onData: ({ result }) => void heads.push(result),
      onError,
    })
    const unwatch = client.watchEvent({
      address: emitter,
      onLogs: (news) =>
        void logs.push(
          ...news.map(({ blockNumber, removed }) => ({ blockNumber: Number(blockNumber), removed })),
        ),
      onError,
    })
    const numbers = () => heads.map(({ number }) => Number(number))
    await expect.poll(subscribed, polling).toBe(2)

    const first = (await headOf()) + 1
    await emit()
    await mine()
    await expect.poll(numbers, polling).toEqual([first, first + 1])
    await expect.poll(() => logs, polling).toEqual([{ blockNumber: first, removed: false }])

    // The two blocks are replaced by two others, without the log, and a third follows.
    await callNode(anvil.url, 'anvil_reorg', [2, []])
    await mine()
    await expect.poll(() => numbers().at(-1), polling).toBe(first + 2)
    expect(numbers()).toEqual([first, first + 1, first, first + 1, first + 2])
    const branch = heads.slice(2)
    expect(branch.slice(1).map(({ parentHash }) => parentHash)).toEqual(
      branch.slice(0, -1).map(({ hash }) => hash),
    )
    await expect.poll(() => logs.at(-1), polling).toEqual({ blockNumber: first, removed: true })

    configure(700)
    host.signal('SIGHUP')
    await expect.poll(() => host.output(), polling).toContain('configuration taken over')
    await emit()
    await expect.poll(() => numbers().at(-1), polling).toBe(first + 3)
    await expect.poll(() => logs.at(-1), polling).toEqual({ blockNumber: first + 3, removed: false })

    expect(errors).toEqual([])
    host.signal('SIGKILL')
    await host.ended
    host = await start()
    await expect.poll(subscribed, polling).toBe(2)
    await emit()
    await expect.poll(() => numbers().at(-1), polling).toBe(first + 4)
    await expect.poll(() => logs.at(-1), polling).toEqual({ blockNumber: first + 4, removed: false })
    unwatch()
    await unsubscribe()
    ;(await client.transport.getRpcClient()).close()
  })
})

test("viem's sync sends are answered with the agreed receipt", async () => {
  await callNode(anvil.url, 'evm_setAutomine', [true])
  const wallet = createWalletClient({ account: demoAccount(3), chain: foundry, transport: webSocket(url()) })
  const receipt = await wallet.sendTransactionSync({ to: account, value: 1n, timeout: 30_000 })
  expect(receipt).toMatchObject({ status: 'success', to: account })
  await callNode(anvil.url, 'evm_setAutomine', [false])
  ;(await wallet.transport.getRpcClient()).close()
})

describe('ethers', () => {
  test('hears blocks and events, and that the gateway is restarting', async () => {
    const provider = new WebSocketProvider(url(), new Network('local', chainId), { staticNetwork: true })
    const blocks: number[] = []
    const logs: number[] = []
    const closed = new Promise((resolve) => {
      ;(provider.websocket as WebSocket).addEventListener('close', ({ code }) => resolve(code))
    })
    await provider.on('block', (number: number) => void blocks.push(number))
    await provider.on({ address: emitter }, ({ blockNumber }) => void logs.push(blockNumber))
    await expect.poll(subscribed, polling).toBe(2)
    const first = (await headOf()) + 1
    await emit()
    await expect.poll(() => [blocks.at(-1), logs.at(-1)], polling).toEqual([first, first])
    const balance = await provider.getBalance(account)
    expect(balance).toBeGreaterThan(0n)
    host.signal('SIGTERM')
    expect(await closed).toBe(1012)
    expect(await host.ended).toBe(0)
    host = await start()
  })
})

test('a page of another site gets no socket', async () => {
  const socket = new WebSocket(url(), { headers: { origin: 'https://elsewhere.example' } })
  const refused = await new Promise((resolve) => {
    socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode))
    socket.once('error', () => {})
  })
  expect(refused).toBe(403)
})
