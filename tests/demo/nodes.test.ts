import { expect, onTestFinished, test } from 'vitest'
import { callNode } from '../../demo/json-rpc.ts'
import type { FaultProfileInput } from '../../demo/nodes/fault-profile.ts'
import { localChains } from '../support/chains.ts'
import { startNodes as start } from '../support/demo-nodes.ts'
import { postJson } from '../support/post-json.ts'

/** What the suites that use the demo's nodes do not show of them. */
const chains = localChains({ chains: [{ id: 137 }], blockTimeS: 600 })
const chainUrl = () => chains().chain(137).url

async function startNodes(...faultProfiles: FaultProfileInput[]) {
  const nodes = await start({
    chainUrl: chainUrl(),
    nodes: faultProfiles.map((faultProfile, index) => ({ name: 'abcdef'[index] ?? 'z', faultProfile })),
  })
  onTestFinished(() => nodes.stop())
  return nodes
}

async function urlsOf(...faultProfiles: FaultProfileInput[]): Promise<readonly string[]> {
  const { nodes } = await startNodes(...faultProfiles)
  return nodes.map(({ url }) => url)
}

type Block = { number: string; hash: string; parentHash: string }
const latest = (url: string) => callNode<Block>(url, 'eth_getBlockByNumber', ['latest', false])
const hex = (number: number) => `0x${number.toString(16)}`

test('a malformed command, an unknown node and what any web page could send change nothing', async () => {
  const { controlUrl, node } = await startNodes('honest')
  const down = { node: 'a', faultProfile: 'down' }
  expect((await postJson(controlUrl, { node: 'a', faultProfile: 'evil' })).status).toBe(400)
  expect((await postJson(controlUrl, { node: 'z', faultProfile: 'honest' })).status).toBe(404)
  expect((await postJson(controlUrl, down, { 'content-type': 'text/plain' })).status).toBe(415)
  expect(node('a').faultProfile()).toEqual({ kind: 'honest' })
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
