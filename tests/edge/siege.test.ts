import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOf } from '#rpc-proxy'
import { attacks } from '../../scripts/load/attacks.ts'
import type { Nodes } from '../support/demo-nodes.ts'
import type { Host } from '../support/host.ts'
import { bothHosts, hostsForOneFile } from '../support/hosts.ts'
import { configOf, honest, startAlike } from '../support/made-up-nodes.ts'
import { says } from '../support/replies.ts'

/** The attacks of `npm run load -- --scenario siege`, which prints how long calls take beside them. */
const answersWanted = 20
/** An idle host takes 200 to 300 MB. Outgoing answers and incoming bodies may add half of that. */
const rssMbMax = 1_000
const filesMax = 200
/** 8 MB as hex: the largest answer to one cheap call. */
const longCode = `0x${'60'.repeat(4_000_000)}`

const start = hostsForOneFile()
let nodes: Nodes
beforeAll(async () => {
  nodes = await startAlike(['a', 'b', 'c'], honest({ eth_getCode: says(longCode) }))
})
afterAll(() => nodes.stop())

const names = Object.keys(attacks) as (keyof typeof attacks)[]
/** `next start` cannot handle hundreds of requests a second. There the proxy in front must limit them. */
const ofHost = { node: names, edge: ['long answers left unread'] } as const

describe.each(bothHosts)('%s answers honest callers during', (kind) => {
  let host: Host
  beforeAll(async () => {
    const callers = [{ name: 'web', keyHash: hashOf('a-key-that-nobody-can-guess') }]
    host = await start(kind, { config: configOf(nodes, { rate: { trustedHops: 1 }, callers }) })
  })

  // How long calls take depends on the machine: what counts is that they are answered, and what the attack may use up.
  test.each(ofHost[kind])('%s', async (name) => {
    const attack = attacks[name]({ port: host.port, chainId: 137 })
    const rssMb: number[] = []
    const refused: string[] = []
    let answered = 0
    try {
      while ((answered < answersWanted || !attack.isUnderWay()) && refused.length <= answersWanted) {
        const said = await askForBalance(host)
        if (said.includes('"result"')) answered++
        else refused.push(said)
        rssMb.push(rssMbOf(host.pid))
      }
    } finally {
      attack.end()
    }
    expect(refused.length, refused.at(-1)).toBeLessThan(answered / 2)
    expect(Math.max(...rssMb)).toBeLessThan(rssMbMax)
    await expect.poll(() => filesOf(host.pid)).toBeLessThan(filesMax)
  })
})

let reads = 0
/** A read that nobody has cached, so that nodes are asked, of the next of 200 callers: a fast machine would use up the budget of one. */
async function askForBalance(host: Host): Promise<string> {
  const params = [`0x${(++reads).toString(16).padStart(40, 'b')}`, 'latest']
  // As forwarded by the proxy in front; no attack has these addresses.
  const headers = { 'x-forwarded-for': `203.0.113.${reads % 200}` }
  const answer = host.call({ params }, headers, AbortSignal.timeout(30_000))
  return answer.then((response) => response.text(), String)
}

/** Resident memory of a process in MB; 0 where the system does not say. */
function rssMbOf(pid: number): number {
  const file = `/proc/${pid}/statm`
  return existsSync(file) ? (Number(readFileSync(file, 'utf8').split(' ')[1]) * 4096) / 1e6 : 0
}

/** Open files of a process, sockets included; 0 where the system does not say. */
function filesOf(pid: number): number {
  return existsSync(`/proc/${pid}/fd`) ? readdirSync(`/proc/${pid}/fd`).length : 0
}
