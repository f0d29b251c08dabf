import fc from 'fast-check'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { certify } from '../../../rpc-proxy/ledger/certificate.ts'
import { errs, hangs, hash, known, other, refuses, type Script, sender, transaction, world } from './world.ts'

const raw = await transaction()
const ownHash = keccak256(raw)

/** Sends it and returns what the caller got and when. */
async function send(scripts: readonly Script[], options: Parameters<typeof world>[1] = {}) {
  const here = world(scripts, options)
  const { clock, writes, chain } = here
  let atMs = -1
  const sent = writes.send(raw, chain(ownHash)).then((value) => {
    atMs = clock.now()
    return value
  })
  await clock.until(() => atMs >= 0)
  const { outcome, evidence, isShared } = await sent
  const rest = async () => {
    await clock.until(() => here.verdicts.length > 0)
    return here.verdicts[0]!
  }
  return { ...here, outcome, evidence, isShared, atMs, rest }
}
const accepted = { kind: 'accepted', hash: ownHash }

describe('acceptance', () => {
  test('case 20: with "already known", a hash after 1.5 s and "nonce too low", the hash is returned at once and all three are asked', async () => {
    const { outcome, atMs, sends } = await send([known(), hash(1500), refuses('nonce-too-low')])
    expect([outcome, atMs, sends]).toEqual([accepted, 10, ['a', 'b', 'c']])
  })

  test('case 20, reversed: a first "nonce too low" does not delay the answer', async () => {
    const { outcome, atMs } = await send([known(12), hash(1500), refuses('nonce-too-low', 5)], {
      found: false,
    })
    expect([outcome, atMs]).toEqual([accepted, 12])
  })

  test('case 21: another hash is a fault, the hash is the answer', async () => {
    const { outcome, atMs, replies } = await send([other(5), hash(30)])
    expect([outcome, atMs, replies[0]]).toEqual([accepted, 30, 'a wrong-hash 5'])
  })

  test('another hash is never an answer', async () => {
    const { outcome, atMs, evidence } = await send([other(), other()])
    expect([outcome, atMs]).toEqual([{ kind: 'failed', reason: 'silent' }, 10])
    expect(evidence.requests.map(({ outcome: how, detail }) => [how, detail])).toEqual([
      ['fault', 'wrong-hash'],
      ['fault', 'wrong-hash'],
    ])
  })

  test('an upper-case hash is the same hash', async () => {
    const capitals: Script = {
      reply: (own) => ({ kind: 'result', raw: ` "0x${own.slice(2).toUpperCase()}"` }),
    }
    expect((await send([capitals])).outcome).toEqual(accepted)
  })

  test('the final evidence has the weight that accepted and the weight that refused', async () => {
    const { evidence, rest, verdicts } = await send([
      hash(10),
      { ...hash(1500), weight: 2 },
      refuses('fee-too-low', 20),
      hangs,
    ])
    expect(evidence).toMatchObject({
      id: 'id0',
      outcome: 'agreed',
      agreed: 1,
      needed: 1,
      total: 5,
      endMs: 10,
    })
    expect(evidence.requests.map(({ outcome }) => outcome)).toEqual([
      'result',
      'pending',
      'pending',
      'pending',
    ])
    const last = await rest()
    expect(last).toMatchObject({
      id: 'id0',
      rule: 'a broadcast needs one acceptance',
      agreed: 3,
      endMs: 8000,
    })
    expect(last.groups).toEqual([
      { text: `"${ownHash}"`, weight: 3, operators: ['a', 'b'], nodes: ['a', 'b'] },
      { text: 'fee-too-low', weight: 1, operators: ['c'], nodes: ['c'] },
    ])
    expect(
      last.requests.map(({ node, outcome, detail, group, endMs, stalledMs }) => [
        node,
        outcome,
        detail,
        group,
        endMs,
        stalledMs,
      ]),
    ).toEqual([
      ['a', 'result', null, 0, 10, null],
      ['b', 'result', null, 0, 1500, 750],
      ['c', 'rejected', 'fee-too-low', 1, 20, null],
      ['d', 'fault', 'timeout', null, 8000, 750],
    ])
    expect(verdicts).toHaveLength(1)
    expect(certify(last).margin).toBe(1)
  })

  test('when a quorum refuses what one node accepted, that is reported and the nonce is not advanced', async () => {
    const { outcome, rest, writes } = await send([
      hash(),
      refuses('insufficient-funds', 20),
      refuses('insufficient-funds', 30),
    ])
    expect(outcome).toEqual(accepted)
    expect(writes.nonces.next(137, sender, 7)).toBe(8)
    expect(await rest()).toMatchObject({
      outcome: 'agreed',
      rule: 'accepted by one, refused by a quorum',
      agreed: 1,
    })
    expect(writes.nonces.next(137, sender, 7)).toBe(7)
  })

  test('the same holds for different reasons, and for operators with several nodes', async () => {
    const scripts = [hash(), refuses('insufficient-funds', 20), refuses('fee-too-low', 30)]
    const { rest, writes } = await send(scripts, { needed: 2 })
    expect(await rest()).toMatchObject({ rule: 'accepted by one, refused by a quorum' })
    expect(writes.nonces.next(137, sender, 7)).toBe(7)
    const twins = scripts.map((script, index) => ({ ...script, operator: index === 0 ? 'x' : 'y' }))
    const two = await send(twins, { needed: 2 })
    expect(await two.rest()).toMatchObject({ rule: 'a broadcast needs one acceptance' })
    expect(two.writes.nonces.next(137, sender, 7)).toBe(8)
  })

  test('a node with "nonce too low" because the transaction is mined has not refused it', async () => {
    const scripts = [hash(), refuses('nonce-too-low', 20), refuses('fee-too-low', 30)]
    const { rest, writes } = await send(scripts, { needed: 2, found: true })
    expect(await rest()).toMatchObject({ rule: 'a quorum finds the transaction', agreed: 2 })
    expect(writes.nonces.next(137, sender, 7)).toBe(8)
  })

  test('a quorum with "nonce too low" because the transaction is mined refuses nothing', async () => {
    const scripts = [hash(), refuses('nonce-too-low', 2000), refuses('nonce-too-low', 2000)]
    const { rest, writes, finds } = await send(scripts, { found: true })
    expect(await rest()).toMatchObject({ rule: 'a quorum finds the transaction', agreed: 3, endMs: 2020 })
    expect([finds, writes.nonces.next(137, sender, 7)]).toEqual([[ownHash], 8])
  })
})

describe('rejected', () => {
  test.each([
    'insufficient-funds',
    'replacement-underpriced',
    'intrinsic-gas-too-low',
    'fee-too-low',
  ] as const)('%s is answered when a quorum says so and the others have had their time', async (refusal) => {
    const { outcome, atMs, evidence } = await send([refuses(refusal), refuses(refusal, 20), hash(3000)])
    expect([outcome, atMs]).toEqual([{ kind: 'refused', class: refusal }, 750])
    expect(evidence).toMatchObject({
      outcome: 'agreed',
      rule: 'enough weight refuses',
      agreed: 2,
      needed: 1.5,
    })
  })

  test('is not decided while another node may still accept', async () => {
    const poor = refuses('insufficient-funds', 0)
    expect(await send([poor, poor, hash(40)])).toMatchObject({ outcome: accepted, atMs: 40 })
    expect(await send([poor, poor, refuses('fee-too-low', 40)])).toMatchObject({
      outcome: { kind: 'refused', class: 'insufficient-funds' },
      atMs: 40,
    })
  })

  test('is not decided by one of three nodes', async () => {
    const { outcome, atMs } = await send([refuses('insufficient-funds'), hash(3000), errs()])
    expect([outcome, atMs]).toEqual([accepted, 3000])
  })

  test('is decided by weight, and each operator counts once', async () => {
    const heavy = await send([{ ...refuses('fee-too-low'), weight: 3 }, hash(3000), errs()], { needed: 3 })
    expect(heavy.outcome).toEqual({ kind: 'refused', class: 'fee-too-low' })
    const twins = ['x', 'x', 'y', 'z'].map((operator) => ({ ...refuses('fee-too-low'), operator }))
    const one = await send([
      ...twins.slice(0, 2),
      { ...hash(100), operator: 'y' },
      { ...hash(100), operator: 'z' },
    ])
    expect([one.outcome, one.atMs]).toEqual([accepted, 100])
  })

  test('an operator whose nodes refuse for two reasons is in neither group', async () => {
    const scripts = [
      { ...refuses('fee-too-low'), operator: 'x' },
      { ...refuses('insufficient-funds'), operator: 'x' },
      { ...refuses('fee-too-low'), operator: 'y' },
      { ...refuses('insufficient-funds', 40), operator: 'z' },
    ]
    const { outcome, evidence } = await send(scripts, { needed: 2 })
    expect(outcome).toEqual({ kind: 'failed', reason: 'disagree' })
    expect(evidence.groups.map(({ weight }) => weight)).toEqual([1, 1])
  })

  test('an operator that accepts at one node and refuses at another has accepted', async () => {
    const scripts = [
      { ...refuses('fee-too-low', 5), operator: 'x' },
      { ...hash(10), operator: 'x' },
      { ...errs(), operator: 'y' },
    ]
    const { outcome, evidence } = await send(scripts, { needed: 2 })
    expect(outcome).toEqual(accepted)
    expect(evidence.groups.map(({ text, weight }) => [text, weight])).toEqual([
      [`"${ownHash}"`, 1],
      ['fee-too-low', 0],
    ])
  })

  test('operatorsMin applies to refusals', async () => {
    const scripts = [{ ...refuses('fee-too-low'), weight: 5 }, refuses('insufficient-funds'), errs()]
    expect((await send(scripts, { operatorsMin: 2 })).outcome).toEqual({ kind: 'failed', reason: 'disagree' })
    expect((await send(scripts, { operatorsMin: 1 })).outcome).toEqual({
      kind: 'refused',
      class: 'fee-too-low',
    })
  })

  test('when few nodes accept writes, all of them together can refuse', async () => {
    const all = [refuses('fee-too-low'), refuses('fee-too-low', 20)]
    const { outcome, atMs } = await send(all, { needed: 5, operatorsMin: 4 })
    expect([outcome, atMs]).toEqual([{ kind: 'refused', class: 'fee-too-low' }, 20])
  })
})

describe('nonce too low', () => {
  const two = [refuses('nonce-too-low'), refuses('nonce-too-low'), errs()]

  test('is success when a quorum finds the transaction', async () => {
    const { outcome, atMs, finds, evidence } = await send(two, { found: true })
    expect([outcome, atMs, finds]).toEqual([accepted, 30, [ownHash]])
    expect(evidence).toMatchObject({ rule: 'a quorum finds the transaction', agreed: 2 })
  })

  test('is a refusal when a quorum does not find it or the lookup fails', async () => {
    for (const options of [{ found: false }, {}]) {
      const { outcome, atMs, finds } = await send(two, options)
      expect([outcome, atMs, finds.length]).toEqual([{ kind: 'refused', class: 'nonce-too-low' }, 30, 1])
    }
  })

  test('is looked up until the deadline at most', async () => {
    const { outcome, atMs } = await send(two, { found: true, findMs: 60_000 })
    expect([outcome, atMs]).toEqual([{ kind: 'failed', reason: 'disagree' }, 8000])
  })
})

describe('failure', () => {
  test('without usable replies comes within milliseconds of the last reply', async () => {
    const { outcome, atMs } = await send([errs(), errs(20), errs(30)])
    expect([outcome, atMs]).toEqual([{ kind: 'failed', reason: 'silent' }, 30])
  })

  test('with one refusal and no other reply is silence; with different refusals it is disagreement', async () => {
    expect((await send([refuses('fee-too-low'), errs(), errs()])).outcome).toMatchObject({ reason: 'silent' })
    const different = [refuses('fee-too-low'), refuses('insufficient-funds'), errs()]
    expect((await send(different)).outcome).toMatchObject({ reason: 'disagree' })
  })

  test('comes at the deadline when a node hangs', async () => {
    const { outcome, atMs, stalls, aborted } = await send([errs(), hangs])
    expect([outcome, atMs, stalls, aborted]).toEqual([
      { kind: 'failed', reason: 'silent' },
      8000,
      ['b'],
      ['b'],
    ])
  })

  test('comes at the stall when all hanging nodes are known to hang', async () => {
    const { outcome, atMs, clock, aborted } = await send([errs(), { ...hangs, open: true }])
    expect([outcome, atMs, aborted]).toEqual([{ kind: 'failed', reason: 'silent' }, 750, []])
    await clock.advance(8000)
    expect([aborted, clock.pending()]).toEqual([['b'], 0])
  })

  test('without write nodes is an unknown method', async () => {
    const { writes, chain } = world([])
    await expect(writes.send(raw, chain(ownHash))).rejects.toMatchObject({ kind: 'no-method' })
  })

  test('a transaction of another chain is refused before any node is asked', async () => {
    const { writes, chain, sends } = world([hash()], { chainId: 1 })
    await expect(writes.send(raw, chain(ownHash))).rejects.toThrow(
      'invalid chain id for signer: have 137 want 1',
    )
    await expect(writes.send('0x02c0', chain(ownHash))).rejects.toMatchObject({ kind: 'bad-params' })
    expect(sends).toEqual([])
  })
})

describe('duplicates', () => {
  test('in flight share one broadcast', async () => {
    const { writes, chain, clock, sends } = world([hash(100), hash(2000)])
    const first = writes.send(raw, chain(ownHash))
    await clock.advance(50)
    const second = writes.send(raw, chain(ownHash))
    await clock.advance(100)
    // Its caller was answered, but the broadcast still collects replies.
    const third = writes.send(raw, chain(ownHash))
    const all = await Promise.all([first, second, third])
    expect(all.map(({ outcome, isShared }) => [outcome.kind, isShared])).toEqual([
      ['accepted', false],
      ['accepted', true],
      ['accepted', true],
    ])
    expect(sends).toEqual(['a', 'b'])
  })

  test('that arrive late are sent again if no node has accepted yet; otherwise they join the broadcast', async () => {
    for (const [firstMs, lateMs, isShared] of [
      [7000, 750, true],
      [7000, 751, false],
      [700, 7000, true],
    ] as const) {
      const { writes, chain, clock, sends } = world([hash(firstMs), hash(7900)])
      void writes.send(raw, chain(ownHash))
      await clock.advance(lateMs)
      const second = writes.send(raw, chain(ownHash))
      await clock.advance(20_000)
      expect([(await second).isShared, sends.length]).toEqual([isShared, isShared ? 2 : 4])
    }
  })

  test('with an earlier deadline than the running broadcast are sent again', async () => {
    const { writes, chain, clock } = world([hash(100)])
    void writes.send(raw, chain(ownHash))
    const second = writes.send(raw, { ...chain(ownHash), deadlineMs: 7999 })
    await clock.advance(100)
    expect((await second).isShared).toBe(false)
  })

  test('after a reload with other nodes are sent again', async () => {
    const { writes, chain, clock, sends } = world([hash(100)])
    const first = writes.send(raw, chain(ownHash))
    const other = chain(ownHash)
    const second = writes.send(raw, { ...other, electorate: { ...other.electorate } })
    await clock.advance(100)
    expect([(await first).isShared, (await second).isShared]).toEqual([false, false])
    expect(sends).toEqual(['a', 'a'])
  })

  test('after the only node that took it is distrusted are sent again: its word is no acceptance any more', async () => {
    const { writes, chain, clock, sends } = world([hash(100), hash(5000)])
    void writes.send(raw, chain(ownHash))
    await clock.advance(100)
    const second = writes.send(raw, { ...chain(ownHash), epoch: 1 })
    expect(sends).toEqual(['a', 'b', 'a', 'b'])
    await clock.advance(5000)
    expect((await second).isShared).toBe(false)
  })

  test('after the broadcast has ended are sent again', async () => {
    const { writes, chain, clock, sends } = world([hash(100)])
    void writes.send(raw, chain(ownHash))
    await clock.advance(100)
    void writes.send(raw, chain(ownHash))
    expect(sends).toEqual(['a', 'a'])
    await clock.advance(100)
  })

  test('of a refused transaction are sent again at once', async () => {
    const { writes, chain, clock, sends } = world([
      refuses('insufficient-funds'),
      refuses('insufficient-funds'),
      hash(5000),
    ])
    void writes.send(raw, chain(ownHash))
    await clock.advance(750)
    void writes.send(raw, chain(ownHash))
    expect(sends).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
    await clock.advance(10_000)
  })

  test('have the same nonce and chain; others are no duplicates', async () => {
    const { writes, chain, sends, clock } = world([hash()])
    const next = await transaction(8)
    void writes.send(raw, chain(ownHash))
    void writes.send(next, chain(keccak256(next)))
    expect(sends).toEqual(['a', 'a'])
    await clock.advance(10)
  })
})

describe('bounds', () => {
  test('the number of running broadcasts is limited; the next one is refused', async () => {
    const { writes, chain, clock } = world([hash(100)], { runningMax: 2 })
    const transactions = await Promise.all([0, 1, 2].map((nonce) => transaction(nonce)))
    const sent = transactions.map((each) => writes.send(each, chain(keccak256(each))))
    await expect(sent[2]).rejects.toMatchObject({ kind: 'overloaded' })
    await clock.advance(100)
    expect((await sent[1])?.outcome.kind).toBe('accepted')
    const again = writes.send(transactions[2] as string, chain(keccak256(transactions[2] as `0x${string}`)))
    await clock.advance(100)
    expect((await again).outcome.kind).toBe('accepted')
  })

  test('settled() resolves when every node has replied to all broadcasts', async () => {
    const { writes, chain, clock } = world([hash(100), hash(900)])
    let isSettled = false
    await writes.settled()
    void writes.send(raw, chain(ownHash))
    void writes.settled().then(() => {
      isSettled = true
    })
    await clock.advance(899)
    expect(isSettled).toBe(false)
    await clock.advance(1)
    expect(isSettled).toBe(true)
  })

  test('closing aborts requests in flight and leaves no timer', async () => {
    const { writes, chain, clock, aborted, verdicts } = world([hangs, hangs])
    const sent = writes.send(raw, chain(ownHash))
    writes.close()
    expect((await sent).outcome).toEqual({ kind: 'failed', reason: 'silent' })
    expect([aborted, clock.pending()]).toEqual([['a', 'b'], 0])
    await clock.advance(0)
    expect(verdicts[0]?.requests.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled'])
  })

  test('a transport that throws is a fault of its node', async () => {
    const { writes, chain, clock } = world([hash()])
    const whole = chain(ownHash)
    const broken: typeof whole = {
      ...whole,
      request: (writer, id) =>
        Object.assign(whole.request(writer, id), { send: () => Promise.reject(new Error('a bug')) }),
    }
    const sent = writes.send(raw, broken)
    await clock.advance(0)
    expect((await sent).outcome).toEqual({ kind: 'failed', reason: 'silent' })
  })
})

test('for any replies: each node is asked once, and the caller gets one correct answer by the deadline', async () => {
  const afterMs = fc.oneof(fc.nat(40), fc.constantFrom(749, 750, 751, 7999, 8000, 9000))
  const script = fc
    .record({
      make: fc.constantFrom(
        hash,
        known,
        other,
        errs,
        (ms: number) => refuses('nonce-too-low', ms),
        (ms: number) => refuses('fee-too-low', ms),
        (ms: number) => refuses('insufficient-funds', ms),
        () => hangs,
      ),
      afterMs,
      weight: fc.integer({ min: 1, max: 3 }),
      operator: fc.constantFrom('x', 'y', 'z', 'w'),
      open: fc.boolean(),
    })
    .map(({ make, afterMs: ms, ...rest }) => ({ ...make(ms), ...rest }))
  const options = fc.record({
    found: fc.option(fc.boolean(), { nil: undefined }),
    findMs: fc.constantFrom(5, 500, 9000),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(script, { minLength: 1, maxLength: 5 }),
      options,
      async (scripts, { found, findMs }) => {
        const { outcome, atMs, sends, clock, verdicts, rest, evidence } = await send(scripts, {
          findMs,
          ...(found === undefined ? {} : { found }),
        })
        const last = await rest()
        expect(sends).toEqual(scripts.map((_, index) => String.fromCharCode(97 + index)))
        expect(atMs).toBeLessThanOrEqual(8000)
        expect(last.endMs).toBeLessThanOrEqual(8000)
        expect(last.requests.every(({ endMs }) => endMs !== null)).toBe(true)
        if (outcome.kind === 'refused') {
          expect(evidence.agreed).toBeGreaterThanOrEqual(evidence.needed)
          expect(last.groups.some(({ text }) => text === outcome.class)).toBe(true)
        }
        const accepts = scripts.some(
          ({ reply, afterMs: ms = 0 }) =>
            ms <= atMs &&
            (typeof reply === 'function' ||
              reply.kind === 'known' ||
              (found === true && reply.kind === 'rejected' && reply.class === 'nonce-too-low')),
        )
        if (outcome.kind === 'accepted') expect(accepts).toBe(true)
        await clock.advance(20_000)
        expect([clock.pending(), verdicts.length]).toEqual([0, 1])
      },
    ),
    { numRuns: 500 },
  )
})
