import { describe, expect, test } from 'vitest'
import { hostsForOneFile, hostsOfEngine, runToEnd } from '../support/hosts.ts'
import { fails, hangs, late, limited, reverts, says, unauthorized } from './support/script.ts'
import { atOnceMs, type CaseOptions, stageOn } from './support/stage.ts'

// The case table over real sockets: outcome, order and number of asks. Exact times are tested with the virtual clock in
// tests/scenarios. Here a stall is either so long that an immediate answer cannot have waited for it, or short.
const start = hostsForOneFile()
const [A, B, C] = ['0xa', '0xb', '0xc'] as const
const stallMs = 300
const slowMs = 3000

describe.each(hostsOfEngine)('%s', (kind) => {
  const { chain } = stageOn(kind, start)
  const read = 'eth_getBalance'

  const agreed = chain([says(A), says(A), says(A)])
  test('case 1: two of three agree, and the third is never asked', async () => {
    const answer = await agreed.askInWaves('a+b', read)
    expect(answer).toMatchObject({ status: 200, result: A })
    expect(answer.headers['x-quorate-agreement']).toBe('2/1.5/3')
  })

  const disputed = chain([late(20, says(A)), late(30, says(B)), late(25, says(A))], { quorum: 2 })
  test('case 2: a third is asked the moment two disagree', async () => {
    const { result, ms } = await disputed.askInWaves('a+b c', read)
    expect(result).toBe(A)
    expect(ms).toBeLessThan(atOnceMs)
  })

  const three = chain([says(A), says(B), late(5, says(C))], { quorum: 2 })
  test('case 3: three different answers fail at once, and the certificate lists all of them', async () => {
    const answer = await three.askInWaves('a+b c', read)
    expect(answer).toMatchObject({ status: 200, error: { code: -32010, data: { reason: 'disagree' } } })
    expect(answer.ms).toBeLessThan(atOnceMs)
    const { groups } = await three.certificate(answer)
    expect(groups.map(({ text, nodes }) => [text, ...nodes]).toSorted()).toEqual([
      ['"0xa"', 'a'],
      ['"0xb"', 'b'],
      ['"0xc"', 'c'],
    ])
  })

  const slow = chain([late(slowMs, says(A)), says(A), says(A)], { quorum: 2, stallMs })
  test('case 4: a slow node costs one stall and no more', async () => {
    const { result, ms } = await slow.askInWaves('a+b c', read)
    expect(result).toBe(A)
    expect(ms).toBeGreaterThan(stallMs - 20)
    expect(ms).toBeLessThan(slowMs)
  })

  const slowAlone = chain([late(slowMs, says(A)), says(A)], { quorum: 1, stallMs })
  test('case 5: a slow node with the weight of a quorum costs one stall', async () => {
    const { result, ms } = await slowAlone.askInWaves('a b', read)
    expect(result).toBe(A)
    expect(ms).toBeGreaterThan(stallMs - 20)
    expect(ms).toBeLessThan(slowMs)
  })

  const one = chain([limited, says(A)], { quorum: 1 })
  test('case 6: a fast error is not waited for', async () => {
    const { result, ms } = await one.askInWaves('a b', read)
    expect(result).toBe(A)
    expect(ms).toBeLessThan(atOnceMs)
  })

  const two = chain([late(5, limited), late(20, limited), says(A), says(A)], { quorum: 2 })
  test('case 7: two fast errors are not waited for', async () => {
    const { result, ms } = await two.askInWaves('a+b c d', read)
    expect(result).toBe(A)
    expect(ms).toBeLessThan(atOnceMs)
  })

  const heavy = chain([{ weight: 4, reply: says(A) }, says(A)], { quorum: 4 })
  test('case 8: a node with the weight of a quorum is asked alone', async () => {
    expect(await heavy.askInWaves('a', read)).toMatchObject({ result: A })
  })

  const weights = [{ weight: 2, reply: says(A) }, says(B), says(B)]
  const light = chain(weights, { quorum: 2 })
  const tied = chain(weights, { quorum: 3 })
  test('case 9: weight is counted, not nodes', async () => {
    expect(await light.askInWaves('a', read)).toMatchObject({ result: A })
    const answer = await tied.askInWaves('a+b c', read)
    expect(answer).toMatchObject({ status: 200, error: { data: { reason: 'disagree' } } })
    expect(answer.ms).toBeLessThan(atOnceMs)
  })

  const data = '0x08c379a0aa'
  const reverting = chain(
    [
      reverts(data),
      fails(-32015, 'execution reverted', data),
      fails(-32015, 'VM execution error.', `Reverted ${data}`),
    ],
    { quorum: 3 },
  )
  test('case 15: a revert is one verdict with any error text', async () => {
    expect(await reverting.askInWaves('a+b+c', 'eth_call')).toMatchObject({
      status: 200,
      error: { code: 3, message: 'execution reverted', data },
    })
  })

  const oneReverts = chain([says('0x0a'), reverts('0xdd'), says('0x0a')], { quorum: 2 })
  test('case 16: one revert does not win against two results', async () => {
    expect(await oneReverts.askInWaves('a+b c', 'eth_call')).toMatchObject({ result: '0x0a' })
  })

  const silent = chain([limited, unauthorized], { quorum: 2 })
  test('case 22: nodes that will not answer are no disagreement', async () => {
    const answer = await silent.askInWaves('a+b', read)
    expect(answer).toMatchObject({ status: 200, error: { code: -32010, data: { reason: 'silent' } } })
    expect(answer.ms).toBeLessThan(atOnceMs)
  })

  test('case 23: a configuration without a possible quorum does not start, and lists every error', async () => {
    const nodes = [0, 513, 1.5, '2'].map((weight, at) => ({ name: `n${at}`, url: 'http://n.test', weight }))
    const pair = ['a', 'b'].map((name) => ({ name, url: 'http://n.test', weight: 2 }))
    const chains = [
      { id: 1, nodes },
      { id: 2, nodes: pair, quorum: 5, operatorsMin: 3 },
    ]
    const { code, output } = await runToEnd(kind, { RPC_CONFIG: JSON.stringify({ chains }) })
    expect(code).toBe(1)
    for (const { name } of nodes)
      expect(output).toContain(`chain 1, node "${name}": invalid weight; must be integer in [1, 512]`)
    expect(output).toContain('chain 2: quorum will always fail; larger than total weight')
    expect(output).toContain('chain 2: operatorsMin will always fail; larger than the number of operators')
  })

  const sameOperator = chain(
    [
      { name: 'x1', operator: 'x', reply: says(A) },
      { name: 'x2', operator: 'x', reply: says(A) },
      { name: 'y', reply: says(A) },
    ],
    { quorum: 1, operatorsMin: 2 },
  )
  test('case 24: the second node of an operator adds nothing to the first', async () => {
    expect(await sameOperator.askInWaves('x1+y', read)).toMatchObject({ result: A })
  })

  const options: CaseOptions = { quorum: 2, stallMs }
  const contradicting = chain(
    [
      { name: 'x1', operator: 'x', reply: late(3 * stallMs, says(A)) },
      { name: 'x2', operator: 'x', reply: late(4 * stallMs, says(B)) },
      { name: 'y', reply: late(5, fails(-32099, 'broken')) },
      { name: 'z', reply: says(B) },
      { name: 'w', reply: late(5 * stallMs, says(A)) },
    ],
    options,
  )
  test('case 25: an operator whose nodes contradict each other has no weight', async () => {
    // x1 stalls, so x2 is asked. x1 says A, so w is asked. x2 says B, which would be a quorum with z. Then w says A.
    const answer = await contradicting.askInWaves('x1+y z x2 w', read)
    expect(answer).toMatchObject({ status: 200, error: { data: { reason: 'disagree' } } })
    expect(answer.ms).toBeGreaterThan(7 * stallMs)
  })

  const hung = chain([{ reply: hangs, on: { eth_getBlockByNumber: hangs } }, says(A), says(A)], {
    quorum: 2,
    stallMs: 1500,
  })
  test('case 28: a hung node is not waited for once it is known to hang', async () => {
    let waited = 0
    for (let calls = 0; calls < 12; calls++) {
      const { result, ms } = await hung.ask(read)
      expect(result).toBe(A)
      if (ms >= 1450) waited++
    }
    expect(waited).toBeLessThanOrEqual(5)
    // One call in a hundred audits an extra node, but not three in a row.
    const asked: string[][] = []
    for (let calls = 0; calls < 3; calls++) {
      expect((await hung.ask(read)).ms).toBeLessThan(1450)
      asked.push(hung.requests().map(({ node }) => node))
    }
    expect(asked.some((nodes) => !nodes.includes('a'))).toBe(true)
  })
})
