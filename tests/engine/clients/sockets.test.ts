import { createWalletClient, webSocket } from 'viem'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { demoAccount } from '../../../demo/accounts.ts'
import { type Anvil, startAnvil } from '../../../demo/anvil.ts'
import { type Keeper, startKeeper } from '../../../demo/keeper.ts'
import { type Nodes, startNodes } from '../../support/demo-nodes.ts'
import { type Host, startHost } from '../../support/host.ts'

/** Calls over a WebSocket; subscriptions are in `npm run clients`. */
const chainId = foundry.id
const account = `0x${'ac'.repeat(20)}` as const

let keeper: Keeper
let anvil: Anvil
let nodes: Nodes
let host: Host
const url = () => `${host.url.replace('http', 'ws')}/api/rpc/${chainId}`

beforeAll(async () => {
  keeper = startKeeper()
  anvil = await startAnvil({ id: chainId, blockTimeS: null, port: 0 }, keeper)
  const honest = ['a', 'b', 'c'].map((name) => ({ name, faultProfile: 'honest' as const }))
  nodes = await startNodes({ chainUrl: anvil.url, nodes: honest })
  const listed = nodes.nodes.map(({ name, url: nodeUrl }) => ({ name, url: nodeUrl }))
  const chain = { id: chainId, quorum: 2, headMaxAgeMs: 200, nodes: listed }
  const started = await startHost('alone', { config: { chains: [chain], rate: null } })
  keeper.keep(started.pid)
  host = started.host
})
afterAll(async () => {
  host.signal('SIGKILL')
  await host.ended
  await nodes.stop()
  await anvil.stop()
  keeper.close()
})

test("viem's sync sends are answered with the agreed receipt", async () => {
  const wallet = createWalletClient({ account: demoAccount(3), chain: foundry, transport: webSocket(url()) })
  const receipt = await wallet.sendTransactionSync({ to: account, value: 1n, timeout: 30_000 })
  expect(receipt).toMatchObject({ status: 'success', to: account })
  ;(await wallet.transport.getRpcClient()).close()
})

test('a page of another site gets no socket', async () => {
  const socket = new WebSocket(url(), { headers: { origin: 'https://elsewhere.example' } })
  const refused = await new Promise((resolve) => {
    socket.once('unexpected-response', (_, { statusCode }) => resolve(statusCode))
    socket.once('error', () => {})
  })
  expect(refused).toBe(403)
})
