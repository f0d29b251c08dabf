import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Host } from '../../support/host.ts'
import { bothGateways, hostsForOneFile, startBoth } from '../../support/hosts.ts'
import {
  type ChaosRun,
  dimensions,
  endRun,
  type Met,
  runCalls,
  secret,
  startRun,
} from './support/chaos-run.ts'
import { plantedWords } from './support/faults.ts'
import { allPairs } from './support/pairs.ts'

const troubles = allPairs(dimensions)

/** A configuration holds at most 64 chains. Each combination is its own chain, with new nodes. */
const chainsMax = 60
const lanes = 6
const groups = Array.from({ length: Math.ceil(troubles.length / chainsMax) }, (_, at) =>
  troubles.slice(at * chainsMax, (at + 1) * chainsMax),
)

const start = hostsForOneFile()
const met = new Set<Met>()

describe.each(groups.map((group, at) => ({ group, at })))(
  `all pairs in ${troubles.length} combinations, part $at`,
  ({ group }) => {
    let trials: readonly ChaosRun[]
    let hosts: ReadonlyMap<string, Host>

    beforeAll(async () => {
      trials = await Promise.all(group.map((trouble, place) => startRun(trouble, 1001 + place)))
      const config = {
        chains: trials.map((trial) => trial.config),
        rate: null,
        limits: { answerBytesMax: 65_536 },
      }
      hosts = await startBoth(start, { config }, bothGateways)
    })
    afterAll(async () => {
      for (const host of hosts.values()) host.signal('SIGKILL')
      await Promise.all(trials.map(endRun))
    })

    test.each(bothGateways)(
      '%s: the truth with enough honest nodes, never a lie, otherwise a clear error, in order',
      async (kind) => {
        const queue = trials.filter(({ trouble }) => trouble.host === kind)
        const wrong: string[] = []
        const lane = async () => {
          for (let trial = queue.shift(); trial !== undefined; trial = queue.shift())
            wrong.push(...(await runCalls(trial, hosts.get(kind)?.url ?? '', met)))
        }
        await Promise.all(Array.from({ length: lanes }, lane))
        const output = hosts.get(kind)?.output() ?? ''
        expect([...wrong, ...linesAbout(wrong, output)].join('\n')).toBe('')
        expect(output).toContain('"event":"fault"')
        for (const never of [secret, plantedWords, '\u001b[31m']) expect(output).not.toContain(never)
      },
    )
  },
)

/** What the host says of the nodes of a chain that was answered wrongly: without an honest one there may be no quorum. */
function linesAbout(wrong: readonly string[], output: string): readonly string[] {
  const chains = new Set(wrong.map((what) => `"chain":${what.match(/^chain (\d+):/)?.[1]},`))
  const isAbout = (line: string) => [...chains].some((chain) => line.includes(chain))
  return output.split('\n').filter((line) => /"event":"(?:node-state|fault)"/.test(line) && isAbout(line))
}

test('the combinations included true answers, clear errors, and lies of a quorum', () => {
  expect([...met].toSorted()).toEqual(['a clean error', 'the lie of a quorum', 'the truth'])
})
