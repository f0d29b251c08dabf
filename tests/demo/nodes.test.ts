import { expect, test } from 'vitest'
import { demoAccount } from '../../demo/accounts.ts'
import { callNode } from '../../demo/json-rpc.ts'
import { type FaultProfileInput, parseFaultProfile } from '../../demo/nodes/fault-profile.ts'
import { localChains } from '../support/chains.ts'
import { nodesForOneTest } from '../support/nodes.ts'
import { until } from '../support/until.ts'

/** What a user of the demo sees of its nodes. What a fault does to the gateway is tested by the suites that use the nodes. */
const chains = localChains({ chains: [{ id: 137 }], blockTimeS: 600 })
const start = nodesForOneTest()
const chainUrl = () => chains().chain(137).url
const rich = demoAccount(9).address
const balance = ['eth_getBalance', [rich, 'latest']] as const

const startNodes = (...faultProfiles: FaultProfileInput[]) =>
  start({
    chainUrl: chainUrl(),
    nodes: faultProfiles.map((faultProfile, index) => ({ name: 'abcdef'[index] ?? 'z', faultProfile })),
  })

async function urlsOf(...faultProfiles: FaultProfileInput[]): Promise<readonly string[]> {
  const { nodes } = await startNodes(...faultProfiles)
  return nodes.map(({ url }) => url)
}

type Block = { number: string; hash: string; parentHash: string }
const latest = (url: string) => callNode<Block>(url, 'eth_getBlockByNumber', ['latest', false])
const hex = (number: number) => `0x${number.toString(16)}`

const command = (controlUrl: string, body: unknown, type = 'application/json') =>
  fetch(controlUrl, { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) })

test('a button of /status changes one node, and the list shows what each does', async () => {
  const { controlUrl, node } = await startNodes('honest', 'honest')
  const faultProfile = { kind: 'erring', status: 503 }
  expect(await (await command(controlUrl, { node: 'b', faultProfile })).json()).toMatchObject({
    node: 'b',
    faultProfile: { ...faultProfile, message: 'internal error' },
  })
  await expect(callNode(node('b').url, ...balance)).rejects.toThrow()
  expect(await callNode(node('a').url, ...balance)).toBe(await callNode(chainUrl(), ...balance))
  expect(await (await fetch(controlUrl)).json()).toMatchObject({
    nodes: [
      { name: 'a', url: node('a').url, faultProfile: { kind: 'honest' }, requests: 1 },
      { name: 'b', faultProfile: { kind: 'erring' } },
    ],
  })
})

test('a malformed command, an unknown node and what any web page could send change nothing', async () => {
  const { controlUrl, node } = await startNodes('honest')
  const down = { node: 'a', faultProfile: 'down' }
  expect((await command(controlUrl, { node: 'a', faultProfile: 'evil' })).status).toBe(400)
  expect((await command(controlUrl, { node: 'z', faultProfile: 'honest' })).status).toBe(404)
  expect((await command(controlUrl, down, 'text/plain')).status).toBe(415)
  expect(node('a').faultProfile()).toEqual({ kind: 'honest' })
})

test('all errors of a fault profile are named', () => {
  expect(() => parseFaultProfile({ kind: 'slow', delayMs: -1, jitterMs: 'x', speed: 1 })).toThrow(
    /delayMs[\s\S]*jitterMs[\s\S]*speed/,
  )
  expect(() => parseFaultProfile({ kind: 'slow', otherwise: 'evil' })).toThrow('kind')
})

test('a node that is down refuses connections, and is back on its own port', async () => {
  const { node } = await startNodes('down')
  const down = node('a')
  await expect(fetch(down.url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  await down.setFaultProfile('honest')
  expect(await latest(down.url)).toEqual(await latest(chainUrl()))
})

test('stop closes every port, even with pending requests', async () => {
  const nodes = await startNodes('hanging')
  const waiting = fetch(nodes.node('a').url, { method: 'POST', body: '{}' }).catch(() => 'closed')
  await until(() => nodes.node('a').requests().length === 1)
  await nodes.stop()
  expect(await waiting).toBe('closed')
})

test('a lagging node shows an earlier block and its state, and knows no later one', async () => {
  const [late = ''] = await urlsOf({ kind: 'lagging', blocks: 3 })
  const head = Number(await callNode(chainUrl(), 'eth_blockNumber'))
  await callNode(chainUrl(), 'eth_sendTransaction', [
    { from: demoAccount(2).address, to: rich, value: '0x1' },
  ])
  await callNode(chainUrl(), 'anvil_mine', ['0x3'])
  expect((await latest(late)).number).toBe(hex(head))
  expect(await callNode(late, ...balance)).toBe(
    await callNode(chainUrl(), 'eth_getBalance', [rich, hex(head)]),
  )
  expect(await callNode(late, 'eth_getBlockByNumber', [hex(head + 1), false])).toBeNull()
  await expect(callNode(late, 'eth_getBalance', [rich, hex(head + 1)])).rejects.toThrow('header not found')
})

test('nodes that lie together tell one lie, others their own, and their blocks are true', async () => {
  const together = { kind: 'lying', lieName: 'x' } as const
  const urls = await urlsOf(together, together, 'lying', 'lying')
  const values = await Promise.all(urls.map((url) => callNode(url, ...balance)))
  expect(values[0]).toBe(values[1])
  expect(new Set([...values, await callNode(chainUrl(), ...balance)]).size).toBe(4)
  expect(await latest(urls[0] ?? '')).toEqual(await latest(chainUrl()))
})

test('a node that lies about heads shows blocks of its own, linked down to a real one', async () => {
  const [liar = ''] = await urlsOf({ kind: 'lying', about: 'heads', blocksAhead: 2 })
  const real = await latest(chainUrl())
  let block = await latest(liar)
  expect(Number(block.number)).toBe(Number(real.number) + 2)
  for (let steps = 0; steps < 2; steps += 1)
    block = await callNode<Block>(liar, 'eth_getBlockByHash', [block.parentHash, false])
  expect(block).toEqual(real)
})

test('an honest node returns the same fee history of a block after another block', async () => {
  const [early, late] = await urlsOf('honest', 'honest')
  const { number } = await latest(chainUrl())
  const history = (url = '') =>
    callNode<{ baseFeePerGas: string[] }>(url, 'eth_feeHistory', ['0x2', number, [60]])
  const before = await history(early)
  await callNode(chainUrl(), 'anvil_setNextBlockBaseFeePerGas', [hex(12_345)])
  await callNode(chainUrl(), 'anvil_mine', ['0x1'])
  const [after, next] = [await history(early), hex(12_345)]
  expect(after.baseFeePerGas.at(-1)).toBe(next)
  expect(after.baseFeePerGas.slice(0, -1)).toEqual(before.baseFeePerGas.slice(0, -1))
  await callNode(chainUrl(), 'anvil_mine', ['0x1'])
  expect(await history(late)).toEqual(after)
  expect((await history(chainUrl())).baseFeePerGas.at(-1), 'anvil itself').not.toBe(next)
})
