import { type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import { publicCertificate } from '#lib/certificate/public-certificate.ts'
import { stateRootOf } from '../../support/build-trie.ts'
import { chain } from '../../support/canonical-chain.ts'
import { type Answered, begin, callOf, post, protect, rpc } from '../../support/gateway-calls.ts'
import {
  code,
  contract,
  lie,
  nobodyThere,
  noProofs,
  provenBlockAt,
  repliesOf,
  truth,
} from '../../support/proven-chain.ts'
import { fails, hangs, late, type Reply, says } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import {
  chainOf,
  move,
  requestsOf,
  type Script,
  sends,
  three,
  type World,
  type WorldOptions,
  worldOf,
} from '../../support/world.ts'
import { agreement, certificateOf, eventsOf, faultsOf, headersOf, noQuorum } from '../support/outcomes.ts'

const honest: Script = { on: repliesOf(truth) }
/** It agrees on the header and makes up what is in it. */
const poisoned: Script = { on: repliesOf(lie, { root: truth }) }
const proof = repliesOf(truth).eth_getProof as Reply
const proverless: Script = { on: { ...repliesOf(truth), eth_getProof: noProofs } }
const with_ = (method: string, reply: Reply): Script => ({ on: { ...repliesOf(truth), [method]: reply } })

const worldWith = (scripts: readonly Script[] = three(honest), options: WorldOptions = {}) =>
  worldOf(scripts, { proofs: 'auto', ...options })
const proven = agreement('3/1.5/3; proven')
const byQuorum = agreement('2/1.5/3')
/** The requests from here on are those of the last call. */
const startNow = (world: World) => {
  world.start = { ms: world.clock.now(), requests: world.requests.length }
}

const { address, codeHash } = contract
const reads = [
  ['eth_getBalance', [address, 'latest'], hex(1e18)],
  ['eth_getTransactionCount', [address, 'latest'], '0x1'],
  ['eth_getCode', [address, 'latest'], code],
  ['eth_getStorageAt', [address, '0x3', 'latest'], pad('0x15')],
  [
    'eth_getProof',
    [address, ['0x3'], 'latest'],
    { address, codeHash, balance: hex(1e18), storageProof: [{ key: pad('0x3'), value: '0x15' }] },
  ],
  ['eth_getBalance', [nobodyThere, 'latest'], '0x0'],
  ['eth_getTransactionCount', [nobodyThere, 'latest'], '0x0'],
  ['eth_getCode', [nobodyThere, 'latest'], '0x'],
  ['eth_getStorageAt', [nobodyThere, '0x3', 'latest'], pad('0x0')],
] as const
const balance = (world: World, options = {}) => rpc(world, 'eth_getBalance', [address, 'latest'], options)
/** The slots of two accounts, as `eth_getStorageValues` takes them. */
const values = { [address]: ['0x1', '0x9'], [nobodyThere]: ['0x1'] }
const proofFaults = (world: World) => eventsOf(world, 'proof-fault').map(({ node }) => node)

describe('state at an agreed block whose header hashes to its hash', () => {
  test.each(reads)('%s %j is proven by one node', async (method, params, result) => {
    const world = worldWith()
    expect(await rpc(world, method, params)).toMatchObject({ result, ...proven })
    const isCode = method === 'eth_getCode' && result !== '0x'
    expect(sends(world)).toBe(isCode ? 'a@0 a@0' : 'a@0')
    expect(requestsOf(world, 'eth_getProof')[0]?.params[2]).toEqual({ blockHash: provenBlockAt(1000).hash })
  })

  test('is proven by its number and by its hash as by a tag, and at the heads before', async () => {
    const world = worldWith()
    await balance(world)
    move(world, { on: repliesOf(truth, { head: 1001 }) })
    await world.clock.advance(3000)
    expect(await balance(world)).toMatchObject(headersOf({ block: 1001 }))
    for (const block of [hex(1001), hex(1000), { blockHash: provenBlockAt(1000).hash }]) {
      const answer = await rpc(world, 'eth_getTransactionCount', [address, block])
      expect(answer).toMatchObject({ result: '0x1', ...proven })
    }
  })

  const { hash } = provenBlockAt(1000)
  test.each(['latest', { blockHash: hash }])(
    'at %j has a certificate of its block, of who proved it, and on whose word the block is agreed',
    async (block) => {
      const world = worldWith()
      await rpc(world, 'eth_blockNumber')
      expect(certificateOf(world, await rpc(world, 'eth_getBalance', [address, block]))).toMatchObject({
        method: 'eth_getProof',
        ruleId: 'proven',
        rule: 'a proof against the agreed block',
        block: { number: 1000, hash },
        operators: 3,
        groups: [{ nodes: ['a'], operators: ['a', 'b', 'c'] }],
        requests: [{ node: 'a', outcome: 'result' }],
      })
    },
  )
})

describe('several reads of one block', () => {
  const storageAt = (slot: string, of: Hex = address) => ['eth_getStorageAt', [of, slot, 'latest']] as const
  const postAll = async (world: World, calls: readonly (readonly [string, readonly unknown[]])[]) => {
    const batch = calls.map(([method, params], id) => callOf(method, params, id))
    const { body } = await post(world, batch)
    return (JSON.parse(body) as Answered[]).map(({ result, error }) => result ?? error)
  }
  const slotsAsked = (world: World) => requestsOf(world, 'eth_getProof').map(({ params: [, slots] }) => slots)

  test('of one account are proven by one request, whatever they read', async () => {
    const world = worldWith()
    const ofBalance = ['eth_getBalance', [address, 'latest']] as const
    const calls = [storageAt('0x1'), storageAt('0x9'), ofBalance, storageAt('0x3')]
    expect(await postAll(world, calls)).toEqual([pad('0x7'), pad('0x0'), hex(1e18), pad('0x15')])
    expect(slotsAsked(world)).toEqual([[pad('0x1'), pad('0x9'), pad('0x3')]])
    const { counters } = world.gateway.snapshot()
    expect(counters.find(({ name }) => name === 'quorate_proven_total')?.value).toBe(4)
    await rpc(world, ...storageAt('0x3'))
    expect(slotsAsked(world)).toEqual([])
  })

  test('of two accounts are proven by one request each', async () => {
    const world = worldWith()
    await postAll(world, [storageAt('0x1'), storageAt('0x1', nobodyThere), storageAt('0x2')])
    expect(slotsAsked(world)).toEqual([[pad('0x1'), pad('0x2')], [pad('0x1')]])
  })

  test('more slots than one request should have go in two', async () => {
    const world = worldWith()
    const calls = Array.from({ length: 40 }, (_, slot) => storageAt(hex(slot)))
    await postAll(world, calls)
    expect(slotsAsked(world).map((slots) => (slots as readonly string[]).length)).toEqual([32, 8])
  })

  test('a caller that leaves takes no proof from another', async () => {
    const world = worldWith()
    await rpc(world, 'eth_blockNumber')
    const leaving = begin(world, ...storageAt('0x1'))
    const staying = begin(world, ...storageAt('0x2'))
    leaving.leave()
    await world.clock.until(staying.isDone)
    expect(await staying.done).toMatchObject({ result: pad('0xe') })
  })

  test('eth_getStorageValues is proven by one request for each account', async () => {
    const world = worldWith([poisoned, honest, honest])
    const answered = await rpc(world, 'eth_getStorageValues', [values, 'latest'])
    const result = { [address]: [pad('0x7'), pad('0x0')], [nobodyThere]: [pad('0x0')] }
    expect(answered).toMatchObject({ result, ...proven })
    expect(sends(world)).toBe('a@0 a@0 b@0 b@0')
    expect(certificateOf(world, answered)).toMatchObject({
      method: 'eth_getStorageValues',
      groups: [{ nodes: ['b'] }],
      requests: { length: 4 },
    })
    await rpc(world, 'eth_getStorageValues', [values, 'latest'])
    expect(world.requests.filter(({ method }) => method === 'eth_getProof')).toHaveLength(4)
  })

  test('eth_getStorageValues of more accounts than it is worth asks a quorum', async () => {
    const world = worldWith()
    const addresses = Array.from({ length: 9 }, (_, index) => `0x${String(index).repeat(40)}`)
    const each = (value: string) => Object.fromEntries(addresses.map((address) => [address, [value]]))
    const result = each(pad('0x0'))
    for (const node of Object.values(world.nodes)) node.on.eth_getStorageValues = says(result)
    const answered = await rpc(world, 'eth_getStorageValues', [each('0x1'), 'latest'])
    expect(answered).toMatchObject({ result, ...byQuorum })
  })
})

describe('all nodes but one are poisoned after the header was agreed', () => {
  test('and each forged proof is a fault of its node', async () => {
    const world = worldWith([poisoned, poisoned, poisoned, honest])
    await balance(world)
    expect(sends(world)).toBe('a@0 b@0 c@0 d@0')
    expect(proofFaults(world)).toEqual(['a', 'b', 'c'])
    expect(chainOf(world)?.proofs).toEqual({ calls: 1, proven: 1, saved: 0, forged: 3 })
    const shown = chainOf(world)?.nodes.map((node) => node.faults)
    expect(shown).toEqual([...three({ 'forged-proof': 1 }), {}])
    const { counters } = world.gateway.snapshot()
    const faults = counters.filter(({ name }) => name === 'quorate_proof_faults_total')
    expect(faults.map(({ labels, value }) => `${labels.node} ${value}`)).toEqual(['a 1', 'b 1', 'c 1', 'd 0'])
  })

  test('and a forger is asked last after two forgeries', async () => {
    const world = worldWith([poisoned, honest, honest])
    for (const of of [1, 2, 3]) {
      startNow(world)
      await rpc(world, 'eth_getStorageAt', [address, hex(of), 'latest'])
    }
    expect(sends(world)).toBe('b@0')
  })

  test('and a code that is another than the proven one is refused', async () => {
    const others = ['0x6002', '0x6003'].map((wrong) => with_('eth_getCode', says(wrong)))
    const world = worldWith([...others, honest])
    expect(await rpc(world, 'eth_getCode', [address, 'latest'])).toMatchObject({ result: code, ...proven })
    expect(proofFaults(world)).toEqual(['a', 'b'])
  })

  test('and the code of a clone has a certificate of its own', async () => {
    const clone = { ...contract, address: `0x${'c1'.repeat(20)}` as const }
    const accounts = [...truth.accounts, clone]
    const world = worldWith(three({ on: repliesOf({ accounts, stateRoot: stateRootOf(accounts) }) }))
    const about = new Set()
    for (const { address } of [contract, clone]) {
      const answer = await rpc(world, 'eth_getCode', [address, 'latest'])
      expect(answer).toMatchObject({ result: code, ...proven })
      about.add(certificateOf(world, answer)?.paramsSha256)
    }
    expect(about.size).toBe(2)
  })
})

describe('where no node proves a block, a quorum is asked as ever:', () => {
  test.each([
    ['no node serves eth_getProof', noProofs],
    ['none goes back so far', fails(-32602, 'distance to target block exceeds maximum proof window')],
  ])('%s, which each is asked for once', async (_, reply) => {
    const world = worldWith(three(with_('eth_getProof', reply)))
    expect(await balance(world)).toMatchObject({ result: hex(1e18), ...byQuorum })
    expect(sends(world, 'eth_getProof')).toBe('a@0 b@0 c@0')
    expect((await rpc(world, 'eth_getBalance', [nobodyThere, 'latest'])).result).toBe('0x0')
    expect(world.requests.filter(({ method }) => method === 'eth_getProof')).toHaveLength(3)
  })

  test('all are silent: after two stalls', async () => {
    const world = worldWith(three(with_('eth_getProof', hangs)))
    expect(await balance(world)).toMatchObject({ ms: 1500, ...byQuorum })
  })

  test('all fail at a proof of many slots: that is its caller’s doing, and others have their proofs', async () => {
    const overtaxed = with_('eth_getProof', (received) =>
      ((received.params[1] as readonly string[]).length > 1 ? fails(-32000, 'timeout') : proof)(received),
    )
    const world = worldWith(three(overtaxed))
    for (const slot of ['0x2', '0x3', '0x4'])
      expect(await rpc(world, 'eth_getProof', [address, ['0x1', slot], 'latest'])).toHaveProperty('error')
    expect(await balance(world)).toMatchObject(proven)
  })

  const strange = says({ ...provenBlockAt(1000), mixHash: pad('0x7') })
  test.each([
    [
      'its header does not hash to its hash, as on a chain with fields of its own',
      with_('eth_getBlockByNumber', strange),
      'auto',
    ],
    ['the configuration says `off`', honest, 'off'],
  ])('%s', async (_, script, proofs) => {
    const world = worldWith(three(script), { proofs })
    expect(await balance(world)).toMatchObject({ result: hex(1e18), ...byQuorum })
    expect(sends(world, 'eth_getProof')).toBe('')
    expect(faultsOf(world)).toEqual([])
  })
})

describe('where proofs are required', () => {
  const unproven = noQuorum('unproven')
  const without = [poisoned, proverless, with_('eth_getProof', hangs)]
  const old = [address, hex(5)]
  test.each<[string, readonly Script[], string, readonly unknown[], object]>([
    ['no node sends one that holds: an error', without, 'eth_getBalance', [address, 'latest'], unproven],
    ['the block is not known well enough: an error', three(honest), 'eth_getBalance', old, unproven],
    ['nor for a count: an error', three(honest), 'eth_getTransactionCount', old, unproven],
    [
      'what cannot be proven at all is read as ever',
      three(with_('eth_call', says('0x07'))),
      'eth_call',
      [{ to: address }],
      { result: '0x07' },
    ],
  ])('%s', async (_, scripts, method, params, expected) => {
    expect(await rpc(worldWith(scripts, { proofs: 'required' }), method, params)).toMatchObject(expected)
  })
})

test('a new read keeps its full deadline, even if an older read of the same account waits', async () => {
  const replies = Object.entries(repliesOf(truth)).map(([method, reply]) => [
    method,
    late(method === 'eth_getProof' ? 600 : 7_600, reply),
  ])
  const world = worldWith(three({ on: Object.fromEntries(replies) }), { proofs: 'required' })
  const older = begin(world, 'eth_getStorageAt', [address, '0x1', 'latest'])
  await world.clock.advance(6_000)
  const newer = begin(world, 'eth_getStorageAt', [address, '0x2', 'latest'])
  await world.clock.until(() => older.isDone() && newer.isDone())
  expect(await older.done).toMatchObject(noQuorum('unproven'))
  expect(await newer.done).toMatchObject({ result: pad('0xe') })
})

describe('a proof is as strong as the header it is held against', () => {
  const witness: Script = { ...honest, role: 'witness' }

  test('a protected caller gets one against the protected head', async () => {
    const world = worldWith([honest, honest, honest, witness, witness])
    const withWitnesses = agreement('5/3/5; policy=protected; proven')
    expect(await balance(world, protect)).toMatchObject({ result: hex(1e18), ...withWitnesses })
  })

  test('two voters with a chain of their own do not prove it to a protected caller', async () => {
    const invented: Script = { on: repliesOf(lie) }
    const world = worldWith([invented, invented, honest, witness, witness])
    expect(await balance(world)).toMatchObject({ result: hex(5e18) })
    expect(await balance(world, protect)).toMatchObject({ result: hex(1e18) })
  })

  test('while a voter is down, a head that voters alone have shown proves nothing', async () => {
    const world = worldWith([honest, honest, honest, witness, witness])
    await balance(world)
    world.gateway.cordon(world.chainId, 'a', true)
    startNow(world)
    const { headers } = await rpc(world, 'eth_getBalance', [nobodyThere, 'latest'])
    expect(headers['x-quorate-agreement']).toMatch(/policy=tightened/)
  })
})

test('a header that says other than the agreed hash is a fault of its node', async () => {
  const world = worldWith()
  await balance(world)
  const forged = { ...provenBlockAt(1000), logsBloom: `0x${'ff'.repeat(256)}` }
  world.nodes.a!.on.eth_getBlockByNumber = says(forged)
  await world.clock.advance(5000)
  await balance(world)
  expect(faultsOf(world)).toContain('a wrong-hash')
})

test('a head that extends the one before by its parent hash needs no look back, though only one header tells the parent', async () => {
  const world = worldWith()
  await balance(world)
  const next = repliesOf(truth, { head: 1001 })
  const withParent =
    (digit: string): Reply =>
    (received) =>
      (received.params[0] === 'latest'
        ? says({ ...provenBlockAt(1001), parentHash: `0x${digit.repeat(64)}` })
        : next.eth_getBlockByNumber!)(received)
  move(world, { on: next }, ['a'])
  for (const [name, digit] of Object.entries({ b: '1', c: '2' }))
    move(world, { on: { ...next, eth_getBlockByNumber: withParent(digit) } }, [name])
  startNow(world)
  await world.clock.advance(3000)
  await balance(world)
  move(world, { on: next }, ['b', 'c'])
  for (let second = 0; second < 60; second += 3) {
    await world.clock.advance(3000)
    await balance(world)
  }
  const looks = requestsOf(world, 'eth_getBlockByNumber')
  expect(looks.filter(({ params: [block] }) => block === hex(1000))).toEqual([])
  const { headers } = await rpc(world, 'eth_getTransactionCount', [address, hex(1000)])
  expect(headers['x-quorate-agreement']).toMatch(/; proven$/)
})

/** A node that writes its proofs in another way. */
const writing = (rewrite: (text: string) => string) =>
  with_('eth_getProof', (received) => {
    const reply = proof(received)
    const { object } = reply.says as { readonly object: string }
    return { ...reply, says: { object: rewrite(object) } }
  })

/** It writes the nodes of its proofs in upper case. */
const loud = writing((text) =>
  text.replace(/"accountProof":\[[^\]]*/, (nodes) =>
    nodes.replaceAll(/0x(\w+)/g, (_, digits: string) => `0x${digits.toUpperCase()}`),
  ),
)

/** Its proofs hold; what it writes beside them does not, and they end with an empty node. */
const careless = writing((text) =>
  text
    .replace(/"balance":"\w+"/, '"balance":"0x1"')
    .replaceAll(/"value":"\w+"/g, '"value":"0x1"')
    .replaceAll(/"(accountProof|proof)":\[([^\]]+)\]/g, '"$1":[$2,"0x"]'),
)
test('what a node writes beside a proof that holds is ignored: no fault, no other node is asked', async () => {
  const world = worldWith([careless, honest, honest])
  const answered = await rpc(world, 'eth_getProof', [address, ['0x1'], 'latest'])
  const result = { balance: hex(1e18), storageProof: [{ value: '0x7' }] }
  expect(answered).toMatchObject({ result, ...proven })
  expect(JSON.stringify(answered.result)).not.toContain('"0x"')
  expect(sends(world)).toBe('a@0')
  expect(proofFaults(world)).toEqual([])
})

describe('anybody can check the certificate', () => {
  /** What anybody reads of it, and what the checker says of its proof. */
  async function check(answered: Answered, world: World) {
    const certificate = certificateOf(world, answered)
    if (certificate === null) throw new Error('no certificate')
    const sent = { ...publicCertificate(certificate, null), signature: null }
    const { verdict, checks } = await checkCertificate(sent)
    return { sent, verdict, proof: checks.at(-1)?.state }
  }

  test.each([
    ['a balance', 'eth_getBalance', [address, 'latest'], honest],
    ['one whose node writes upper case', 'eth_getBalance', [address, 'latest'], loud],
    ['a slot', 'eth_getStorageAt', [address, '0x1', 'latest'], careless],
    ['a code', 'eth_getCode', [address, 'latest'], honest],
    ['no code', 'eth_getCode', [nobodyThere, 'latest'], honest],
    ['slots of several accounts', 'eth_getStorageValues', [values, 'latest'], honest],
    ['a proof', 'eth_getProof', [address, ['0x1', '0x9'], 'latest'], honest],
  ] as const)('of %s', async (_, method, params, script) => {
    const world = worldWith([script, honest, honest])
    const { sent, ...checked } = await check(await rpc(world, method, params), world)
    expect(checked).toEqual({ verdict: 'unsigned', proof: 'passed' })
    expect(sent).toMatchObject({ rule: 'proven', quorum: { weight: 2 } })
    expect(JSON.stringify(sent)).not.toContain(address.slice(2))
  })

  test('of several reads that shared a request', async () => {
    const world = worldWith()
    await rpc(world, 'eth_blockNumber')
    const slot = begin(world, 'eth_getStorageAt', [address, '0x2', 'latest'])
    const several = begin(world, 'eth_getStorageValues', [values, 'latest'])
    await world.clock.until(() => slot.isDone() && several.isDone())
    const checked = await check(await several.done, world)
    expect(checked).toMatchObject({ verdict: 'unsigned', proof: 'passed' })
    expect(checked.sent.proof?.slots).toHaveLength(3)
  })

  test.each([
    ['a code', 'eth_getCode', [address, 'latest'], code],
    ['several accounts', 'eth_getStorageValues', [values, 'latest'], null],
  ] as const)('of %s whose account was known before', async (_, method, params, proven) => {
    const world = worldWith()
    await balance(world)
    await rpc(world, 'eth_getStorageValues', [{ [address]: values[address] }, 'latest'])
    const { sent, ...checked } = await check(await rpc(world, method, params), world)
    expect(checked).toEqual({ verdict: 'unsigned', proof: 'passed' })
    expect(sent).toMatchObject({ proof: { code: proven }, proofAbsent: null })
  })

  test('of more slots than one shows has no proof', async () => {
    const world = worldWith()
    const slots = Array.from({ length: 33 }, (_, slot) => hex(slot))
    const several = { [address]: slots.slice(1), [nobodyThere]: ['0x1'] }
    for (const [method, params] of [
      ['eth_getProof', [address, slots, 'latest']],
      ['eth_getStorageValues', [several, 'latest']],
    ] as const)
      expect(await check(await rpc(world, method, params), world)).toMatchObject({
        verdict: 'unsigned',
        sent: { rule: 'proven', proof: null, proofAbsent: 'too-long' },
      })
  })
})

test('what was proven of a block that a reorg took is not returned', async () => {
  const eth_getProof = late(600, proof)
  const world = worldWith(three(with_('eth_getProof', eth_getProof)))
  await rpc(world, 'eth_blockNumber')
  await world.clock.advance(1900)
  const pending = begin(world, 'eth_getBalance', [address, 'latest'])
  await world.clock.advance(200)
  move(world, { on: { ...repliesOf(lie), eth_getProof } })
  await rpc(world, 'eth_blockNumber')
  await world.clock.until(pending.isDone)
  expect(eventsOf(world, 'reorg')).toHaveLength(1)
  expect(await pending.done).toMatchObject({ result: hex(5e18), ...byQuorum })
})

describe('that there are no logs', () => {
  const { fullBlock } = chain
  const hash = String(fullBlock.hash)
  const shown: Reply = (received) => says(received.params[0] === '0x1' ? null : fullBlock)(received)
  const on = { eth_getBlockByNumber: shown, eth_getBlockByHash: shown, eth_getLogs: says(chain.logs) }
  const none = { address: `0x${'77'.repeat(20)}` }
  const some = { address: chain.contract }
  const logsOf = async (filter: object, options: WorldOptions = {}) => {
    const world = worldWith(three({ on }), { chainId: 31_337, ...options })
    await rpc(world, 'eth_blockNumber')
    return { world, answered: await rpc(world, 'eth_getLogs', [filter]) }
  }

  test.each([
    { fromBlock: '0x2', toBlock: 'latest', ...none },
    { blockHash: hash, ...none },
  ])('is proven by the blooms of the blocks, and no node is asked: %j', async (filter) => {
    const { world, answered } = await logsOf(filter)
    expect(answered).toMatchObject({ result: [], ...proven })
    expect(sends(world)).toBe('')
    const certificate = publicCertificate(certificateOf(world, answered)!, null)
    expect(certificate).toMatchObject({ rule: 'proven', proof: null, proofAbsent: 'blooms' })
  })

  test.each([
    ['a bloom allows some', { blockHash: hash, ...some }, {}],
    ['not all blocks are known', { fromBlock: '0x0', toBlock: '0x2', ...none }, {}],
    ['proofs are off', { blockHash: hash, ...none }, { proofs: 'off' }],
    ['state syncs of Polygon were in no bloom yet', { blockHash: hash, ...none }, { chainId: 137 }],
  ])('is left to a quorum where %s', async (_, filter, options) => {
    const { world, answered } = await logsOf(filter, options)
    expect(answered.headers['x-quorate-agreement']).not.toContain('proven')
    expect(requestsOf(world, 'eth_getLogs').length).toBeGreaterThan(1)
  })
})
