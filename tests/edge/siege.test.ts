import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Nodes } from '../../demo/nodes/start.ts'
import { attacks } from '../siege/attacks.ts'
import { type Besieged, besiege } from '../siege/siege.ts'
import { startStage } from '../siege/stage.ts'
import { bothHosts, hostsForOneFile } from '../support/hosts.ts'

/** A short `npm run siege`, which prints how long calls took too. An honest caller gives up after ten seconds. */
const failureShareMax = 0.1
/** An idle host takes 200 to 300 MB. Outgoing answers and incoming bodies may add half of that. */
const rssMbMax = 1_000
const filesMax = 200

const start = hostsForOneFile()
let nodes: Nodes
let config: object

beforeAll(async () => {
  const stage = await startStage()
  nodes = stage.nodes
  config = stage.config
})
afterAll(() => nodes.stop())

const names = Object.keys(attacks) as (keyof typeof attacks)[]
/** `next start` cannot handle hundreds of requests a second. There the proxy in front must limit them. */
const ofHost = { node: names, edge: ['long answers left unread'] } as const

describe.each(bothHosts)('%s answers honest callers during', (kind) => {
  let besieged: Besieged
  beforeAll(async () => {
    const { port, pid } = await start(kind, { config })
    besieged = { port, pid, chainId: 137, pages: true }
  })

  test.each(ofHost[kind])('%s', async (name) => {
    const { calls, rssMb, files } = await besiege(besieged, name, { seconds: 3 })
    expect(calls.failures).toBeLessThanOrEqual(calls.sent * failureShareMax)
    expect(rssMb).toBeLessThan(rssMbMax)
    expect(files).toBeLessThan(filesMax)
  })
})
