import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { FaultProfileInput } from '../../../demo/nodes/fault-profile.ts'
import type { Scripted } from '../../../demo/nodes/node.ts'
import { hostsForOneFile } from '../../support/hosts.ts'
import { honest, startAlike } from '../../support/made-up-nodes.ts'
import { machineFaults } from './support/machine.ts'

const start = hostsForOneFile()
/** Where the truth is due, no call may end because the machine is slow. */
const deadlineMsOf = { nothing: 60_000, calls: 3000 } as const

/** What one of the three nodes does meanwhile. */
const nodeFaults: readonly (FaultProfileInput | Scripted)[] = [
  honest(),
  { kind: 'hanging' },
  { kind: 'down' },
  { kind: 'erring', status: 503, message: 'no' },
]

let calls = 0
/** A balance that no cache has. Over one connection, which is open before the fault begins. */
async function call(port: number, agent: Agent): Promise<unknown> {
  const [chainId, address] = [137, `0x${(calls++).toString(16).padStart(40, 'a')}`]
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_getBalance', params: [address, 'latest'] }
  return await new Promise((resolve, reject) => {
    const path = `/api/rpc/${chainId}`
    const headers = { 'content-type': 'application/json' }
    request({ port, host: '127.0.0.1', path, agent, method: 'POST', headers }, (response) =>
      resolve(json(response)),
    )
      .once('error', reject)
      .end(JSON.stringify(body))
  })
}

const truth = expect.objectContaining({ result: '0x10' })
const isClean = (said: unknown) =>
  [-32010, -32001].includes((said as { error?: { code: number } }).error?.code ?? 0)

test.each(Object.entries(machineFaults))(
  '%s: the truth or a clean error whatever one node does, the truth when it is over, and SIGTERM ends the host',
  async (_, { kind, costs, settings, nodeHost = '127.0.0.1', begin, end }) => {
    const nodes = await startAlike(['a', 'b', 'c'], honest())
    const asked = nodes.nodes.map(({ name, url }) => ({
      name,
      // The one that may hang; of the others each is waited for, however slow the machine is.
      ...(name === 'a' && { stallMs: 150 }),
      url: url.replace('127.0.0.1', nodeHost),
    }))
    const config = { chains: [{ id: 137, deadlineMs: deadlineMsOf[costs], nodes: asked }], rate: null }
    const host = await start(kind, { ...(await settings()), config })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await expect.poll(() => call(host.port, agent)).toEqual(truth)
    await begin?.(host)
    for (const faultProfile of nodeFaults) {
      await nodes.node('a').setFaultProfile(faultProfile)
      for (let turn = 0; turn < 8; turn += 1) {
        const said = await call(host.port, agent)
        if (costs === 'nothing' || !isClean(said)) expect(said, JSON.stringify(said)).toEqual(truth)
      }
    }
    await nodes.node('a').setFaultProfile(honest())
    await end?.(host)
    await expect.poll(() => call(host.port, agent)).toEqual(truth)
    host.signal('SIGTERM')
    agent.destroy()
    expect([0, 143]).toContain(await host.ended)
    await nodes.stop()
  },
)
