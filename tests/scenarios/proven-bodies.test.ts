import { describe, expect, test } from 'vitest'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import { provenText } from '#lib/certificate/check-proof.ts'
import { readKnownCall } from '#lib/certificate/known-call.ts'
import { isProofOf } from '#lib/certificate/proven-call.ts'
import {
  type PublicCertificate,
  type PublicProof,
  publicCertificate,
} from '#lib/certificate/public-certificate.ts'
import { isResultOf } from '#lib/certificate/result-of.ts'
import { resultShape } from '#rpc-proxy'
import { chain, type Json } from '../rpc-proxy/wire/canonical-chain.ts'
import { type Answered, ask } from '../support/ask.ts'
import { type ReceivedCall, type Reply, says, saysText } from '../support/replies.ts'
import { hex } from '../support/scripted-chain.ts'
import { asked, requestsOf, type Script, type World, type WorldOptions, worldOf } from '../support/world.ts'

const { fullBlock, blockReceipts, contract } = chain
const { hash, transactions } = fullBlock as Json & {
  hash: string
  transactions: readonly (Json & { hash: string })[]
}
const header = { ...fullBlock, transactions: transactions.map((each) => each.hash) }
const [first] = transactions as readonly [Json & { hash: string }]
const logs = blockReceipts.flatMap((receipt) => receipt.logs as readonly Json[])
const [firstLog] = logs as unknown as readonly [Json]
const [topic] = firstLog.topics as readonly [string]

const block = ({ params: [of, isFull] }: ReceivedCall) =>
  [hash, '0x2', 'latest'].includes(String(of)) ? (isFull === true ? fullBlock : header) : null
const on: Record<string, Reply> = {
  eth_getBlockByNumber: (received) => says(block(received))(received),
  eth_getBlockByHash: (received) => says(block(received))(received),
  eth_getBlockReceipts: says(blockReceipts),
  eth_getTransactionReceipt: says(blockReceipts[0]),
  eth_getTransactionByHash: says(first),
  eth_getLogs: says(logs),
}
const honest: Script = { on }
const lies = (forged: Readonly<Record<string, Reply>>): Script => ({ on: { ...on, ...forged } })

const worldWith = (scripts: readonly Script[], options: object = {}): World =>
  worldOf(scripts, { chainId: 31_337, proofs: 'auto', ...options } as WorldOptions)
const proven = { 'x-quorate-agreement': '3/1.5/3; proven' }
const proofFaults = ({ events }: World) =>
  events.flatMap((event) => (event.type === 'proof-fault' ? [event.node] : []))
/** What the head took is not counted. */
async function askAt(world: World, method: string, params: readonly unknown[]): Promise<Answered> {
  await ask(world, 'eth_blockNumber')
  return ask(world, method, params)
}

const reads = [
  ['eth_getBlockReceipts', ['0x2'], blockReceipts, 'a@0 a@0'],
  ['eth_getBlockReceipts', [hash], blockReceipts, 'a@0 a@0'],
  ['eth_getTransactionReceipt', [first.hash], blockReceipts[0], 'a@0 a@0'],
  ['eth_getTransactionByHash', [first.hash], first, 'a@0'],
  ['eth_getTransactionByBlockHashAndIndex', [hash, '0x0'], first, 'a@0'],
  ['eth_getTransactionByBlockNumberAndIndex', ['0x2', '0x0'], first, 'a@0'],
  ['eth_getTransactionByBlockNumberAndIndex', ['latest', '0x9'], null, 'a@0'],
  ['eth_getLogs', [{ fromBlock: '0x2', toBlock: 'latest' }], logs, 'a@0 a@0'],
  [
    'eth_getLogs',
    [{ blockHash: hash, address: contract }],
    logs.filter(({ address }) => address === contract),
    'a@0 a@0',
  ],
  [
    'eth_getLogs',
    [{ blockHash: hash, topics: [topic] }],
    logs.filter(({ topics }) => (topics as string[])[0] === topic),
    'a@0 a@0',
  ],
  ['eth_getLogs', [{ fromBlock: '0x2', toBlock: '0x2', address: `0x${'77'.repeat(20)}` }], [], ''],
] as const

/** Without what a node writes beside what its chain has agreed on. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, member) =>
      ['blobGasPrice', 'blockTimestamp'].includes(key) ? undefined : member,
    ),
  )

describe('what is in an agreed block', () => {
  test.each(reads)('%s %j is proven by its roots', async (method, params, result, requests) => {
    const world = worldWith([honest, honest, honest])
    const answered = await askAt(world, method, params)
    expect(answered).toMatchObject({ headers: proven })
    expect(plain(answered.result)).toEqual(plain(result))
    expect(asked(world)).toBe(requests)
  })

  test('is read once for all that is asked of the block', async () => {
    const world = worldWith([honest, honest, honest])
    for (const [method, params] of reads)
      expect(await askAt(world, method, params)).toMatchObject({ headers: proven })
    const whole = world.requests.filter(
      ({ method, params }) => method === 'eth_getBlockReceipts' || params[1] === true,
    )
    expect(whole).toHaveLength(2)
    expect(world.events.filter(({ type }) => type === 'proof-fault')).toEqual([])
  })

  test('has a certificate that says who proved it, and on whose word its block is agreed', async () => {
    const world = worldWith([honest, honest, honest])
    const { headers } = await askAt(world, 'eth_getTransactionReceipt', [first.hash])
    const certificate = world.gateway.certificate(headers['x-quorate-answer'] ?? '')
    expect(certificate).toMatchObject({
      method: 'eth_getTransactionReceipt',
      ruleId: 'proven',
      groups: [{ nodes: ['a'], operators: ['a', 'b', 'c'] }],
    })
    expect(certificate?.requests).toHaveLength(2)
  })

  test.each(reads.filter(([method, , result]) => /Transaction/.test(method) && result !== null))(
    '%s %j has a certificate that anybody can check',
    async (method, params) => {
      const world = worldWith([honest, honest, honest])
      const answered = await askAt(world, method, params)
      const sent = certificateOf(world, answered)
      const place = { index: 0, receipt: method.endsWith('Receipt') }
      expect(sent).toMatchObject({ block: { number: 2, hash }, proof: { place } })
      const { verdict, checks } = await checkCertificate(sent)
      expect([verdict, checks.at(-1)]).toEqual(['unsigned', { name: 'proof', state: 'passed' }])
      expect(isProofOf(sent, params)).toBe(true)
      for (const at of params.keys()) expect(isProofOf(sent, [...params].with(at, '0x1'))).toBe(false)
      const isResult = (result: unknown) => isResultOf(sent, { shape: resultShape(method), params, result })
      const result = answered.result as Json
      // Another node may write its members in another order, and more of them.
      expect(await isResult({ ...Object.fromEntries(Object.entries(result).toReversed()), own: 1 })).toBe(
        true,
      )
      for (const [name, edit] of [
        ['transactionIndex', '0x1'],
        ['blockHash', topic],
        ['logs', []],
        ['value', '0x77'],
        ['status', '0x0'],
      ] as const)
        expect(await isResult({ ...result, [name]: edit }), name).toBe(!(name in result))
      const { proof } = sent
      if (proof === null) throw new Error('no proof')
      for (const edit of editsOf(proof))
        expect((await checkCertificate({ ...sent, proof: edit })).verdict, JSON.stringify(edit)).toBe(
          'refused',
        )
    },
  )

  const lists = reads.filter(
    ([method, , result, requests]) => (!/Transaction/.test(method) || result === null) && requests !== '',
  )

  test.each(lists)('%s %j has a certificate of the whole block', async (method, params, result) => {
    const world = worldWith([honest, honest, honest])
    const answered = await askAt(world, method, params)
    const sent = certificateOf(world, answered)
    expect(sent).toMatchObject({ block: { number: 2, hash }, proofAbsent: null })
    expect(sent.proof?.body?.transactions).toHaveLength(transactions.length)
    const { verdict, checks } = await checkCertificate(sent)
    expect([verdict, checks.at(-1)]).toEqual(['unsigned', { name: 'proof', state: 'passed' }])
    const named = JSON.parse(JSON.stringify(params).replace('latest', '0x2')) as unknown[]
    expect(isProofOf(sent, named)).toBe(true)
    for (const other of ['0x1', { fromBlock: '0x1', toBlock: '0x2' }, { blockHash: contract }])
      expect(isProofOf(sent, named.with(0, other))).toBe(false)
    const shape = resultShape(method)
    const isResult = (claimed: unknown) => isResultOf(sent, { shape, params: named, result: claimed })
    expect([await isResult(answered.result), await isResult(result)]).toEqual([true, true])
    for (const other of othersThan(result)) expect(await isResult(other), JSON.stringify(other)).toBe(false)
    const known = await readKnownCall(sent, { params: JSON.stringify(named) })
    expect(known).toEqual({ method, params: named, result: undefined })
    const elsewhere = [typeof named[0] === 'object' ? { blockHash: hash, topics: [hash] } : '0x1']
    expect(await readKnownCall(sent, { params: JSON.stringify(elsewhere) })).toBe('wrong')
  })

  test('has a certificate that is refused where any leaf of the block is edited', async () => {
    const world = worldWith([honest, honest, honest])
    const sent = certificateOf(world, await askAt(world, 'eth_getBlockReceipts', [hash]))
    const { proof } = sent
    if (proof?.body == null) throw new Error('no proof')
    const { transactions: leaves, receipts } = proof.body
    const forged = [
      ...editsOfList(leaves).map((edited) => ({ transactions: edited, receipts })),
      ...editsOfList(receipts ?? []).map((edited) => ({ transactions: leaves, receipts: edited })),
    ]
    // Nor would another digest of the result help.
    for (const body of forged) expect(provenText({ ...proof, body }, { number: 2, hash })).toBeNull()
    const bodies = [null, { transactions: leaves, receipts: null }, ...forged]
    const edits: readonly PublicProof[] = [
      ...bodies.map((body) => ({ ...proof, body })),
      ...proof.header.map((_, at) => ({ ...proof, header: proof.header.with(at, '0x03') })),
      { ...proof, nodes: ['0x80'] },
      { ...proof, code: '0x' },
      { ...proof, accounts: [hash] },
      { ...proof, slots: [{ account: hash, slot: hash, nodes: [] }] },
      { ...proof, place: { index: 0, receipt: true } },
    ]
    for (const edit of edits)
      expect((await checkCertificate({ ...sent, proof: edit })).verdict, JSON.stringify(edit)).toBe('refused')
  })

  test('has a certificate of a filter that takes nothing but the logs that it names', async () => {
    const world = worldWith([honest, honest, honest])
    const sent = certificateOf(world, await askAt(world, 'eth_getLogs', [{ blockHash: hash }]))
    const takes = (filter: object, result: readonly Json[]) =>
      isResultOf(sent, { shape: 'logs', params: [{ blockHash: hash, ...filter }], result })
    const wanted = [topic, `0x${'9'.repeat(64)}`]
    const own = logs.filter(({ topics }) => (topics as string[])[0] === topic)
    const others = [{ topics: [wanted[1]] }, { topics: [null, null, null, null] }, { address: wanted[1] }]
    for (const filter of [{}, { topics: [wanted] }, { topics: [topic] }, { address: [contract, wanted[1]] }])
      expect([await takes(filter, own), await takes(filter, [])], JSON.stringify(filter)).toEqual([
        own.every(({ address }) => !('address' in filter) || address === contract),
        false,
      ])
    for (const filter of others)
      expect([await takes(filter, []), await takes(filter, own)], JSON.stringify(filter)).toEqual([
        true,
        false,
      ])
  })

  test('says why there is no proof where blooms say that there are no logs', async () => {
    const world = worldWith([honest, honest, honest])
    const filter = { fromBlock: '0x2', toBlock: '0x2', address: `0x${'77'.repeat(20)}` }
    const sent = certificateOf(world, await askAt(world, 'eth_getLogs', [filter]))
    expect(sent).toMatchObject({ rule: 'proven', proof: null, proofAbsent: 'blooms' })
    expect(await isResultOf(sent, { shape: 'logs', params: [filter], result: [] })).toBe(true)
  })
})

/** What anybody reads of it. */
function certificateOf({ gateway }: World, { headers }: Answered): PublicCertificate {
  const certificate = gateway.certificate(headers['x-quorate-answer'] ?? '')
  if (certificate === null) throw new Error('no certificate')
  return { ...publicCertificate(certificate, null), signature: null }
}

/** Other lists: one member less, one twice, one changed. */
function othersThan(result: unknown): readonly unknown[] {
  if (!Array.isArray(result)) return [[], first]
  const [one, ...others] = result as unknown as readonly [Json]
  return [
    others,
    [one, ...result],
    [{ ...one, transactionIndex: '0x9' }, ...others],
    [{ ...one, blockHash: topic }, ...others],
    null,
    first,
  ]
}

const editsOfList = (list: readonly string[]): readonly (readonly string[])[] => [
  list.slice(1),
  [...list, ...list.slice(-1)],
  list.toReversed(),
  ...list.map((each, at) => list.with(at, `${each.slice(0, -1)}${each.endsWith('f') ? 'e' : 'f'}`)),
]

/** Of a proof of a place, each member changed. */
const editsOf = (proof: PublicProof): readonly PublicProof[] => {
  const [index, receipt] = [proof.place?.index ?? 0, proof.place?.receipt === true]
  return [
    ...proof.nodes.map((node, at) => ({
      ...proof,
      nodes: proof.nodes.with(at, `${node.slice(0, -1)}${node.endsWith('f') ? 'e' : 'f'}`),
    })),
    { ...proof, nodes: proof.nodes.slice(1) },
    { ...proof, nodes: proof.nodes.slice(0, -1) },
    { ...proof, nodes: [...proof.nodes, '0x80'] },
    { ...proof, place: { index: index + 1, receipt } },
    { ...proof, place: { index, receipt: !receipt } },
    { ...proof, place: null },
    { ...proof, body: { transactions: [], receipts: null } },
    { ...proof, code: '0x' },
    { ...proof, accounts: [hash] },
    { ...proof, slots: [{ account: hash, slot: hash, nodes: [] }] },
    { ...proof, header: proof.header.with(4, hash) },
  ]
}

const forgedReceipts = (forged: Json): Reply =>
  says([{ ...blockReceipts[0], ...forged }, ...blockReceipts.slice(1)])
const forgeries: readonly (readonly [string, Readonly<Record<string, Reply>>])[] = [
  ['say that a transaction failed', { eth_getBlockReceipts: forgedReceipts({ status: '0x0' }) }],
  ['hide a log', { eth_getBlockReceipts: forgedReceipts({ logs: [] }) }],
  ['make up a log', { eth_getBlockReceipts: forgedReceipts({ logs: [firstLog, logs[1]] }) }],
  ['hide a receipt', { eth_getBlockReceipts: says(blockReceipts.slice(1)) }],
  [
    'pay another',
    {
      eth_getBlockByHash: says({
        ...fullBlock,
        transactions: [{ ...first, value: '0x1' }, ...transactions.slice(1)],
      }),
    },
  ],
  ['hide a transaction', { eth_getBlockByHash: says({ ...fullBlock, transactions: transactions.slice(1) }) }],
]

describe('all nodes but one are poisoned after the header was agreed', () => {
  test.each(forgeries)('they %s: the receipt is true, and each forgery a fault', async (_, forged) => {
    const world = worldWith([lies(forged), lies(forged), lies(forged), honest])
    const answered = await askAt(world, 'eth_getTransactionReceipt', [first.hash])
    expect(plain(answered.result)).toEqual(plain(blockReceipts[0]))
    expect(proofFaults(world)).toEqual(['a', 'b', 'c'])
  })

  test('they relabel receipts: each is that of its place', async () => {
    const relabelled = blockReceipts.map((receipt, index) => ({
      ...receipt,
      transactionHash: blockReceipts[3 - index]?.transactionHash,
      from: contract,
      gasUsed: '0x1',
      effectiveGasPrice: '0x1',
    }))
    const liar = lies({ eth_getBlockReceipts: says(relabelled) })
    const world = worldWith([liar, liar, honest])
    const { result } = await askAt(world, 'eth_getTransactionReceipt', [first.hash])
    expect(plain(result)).toEqual(plain(blockReceipts[0]))
  })

  test('they write a type that has the same last byte: the receipt has its own', async () => {
    const wrapped = blockReceipts.map((receipt) => ({
      ...receipt,
      type: receipt.type === '0x0' ? '0x0' : hex(256 + Number(receipt.type)),
    }))
    const liar = lies({ eth_getBlockReceipts: says(wrapped) })
    const world = worldWith([liar, liar, liar, honest])
    const { result } = await askAt(world, 'eth_getTransactionReceipt', [transactions[3]?.hash])
    expect(result).toMatchObject({ type: '0x4' })
    expect(proofFaults(world)).toEqual(['a', 'b', 'c'])
  })

  test('they have no logs: an empty list is no result where the bloom allows some', async () => {
    const liar = lies({ eth_getLogs: says([]), eth_getBlockReceipts: forgedReceipts({ logs: [] }) })
    const world = worldWith([liar, liar, liar, honest])
    const { result } = await askAt(world, 'eth_getLogs', [{ blockHash: hash, address: contract }])
    expect(plain(result)).toEqual(plain(logs.filter(({ address }) => address === contract)))
  })
})

describe('a quorum is asked as ever', () => {
  const byQuorum = { 'x-quorate-agreement': '2/1.5/3' }

  test('where the configuration says `off`', async () => {
    const world = worldWith([honest, honest, honest], { proofs: 'off' })
    expect(await askAt(world, 'eth_getTransactionReceipt', [first.hash])).toMatchObject({ headers: byQuorum })
  })

  test('for a transaction of no block that is agreed, proofs required or not', async () => {
    const world = worldWith([honest, honest, honest], { proofs: 'required' })
    for (const node of Object.values(world.nodes)) node.on.eth_getTransactionReceipt = says(null)
    const { result, error } = await askAt(world, 'eth_getTransactionReceipt', [`0x${'9'.repeat(64)}`])
    expect([result, error]).toEqual([null, undefined])
  })

  test('for a receipt that no node proves, marked as not proven, though proofs are required', async () => {
    const headers = { 'x-quorate-explain': '1' }
    const world = worldWith([honest, honest, honest], { proofs: 'required' })
    await ask(world, 'eth_blockNumber')
    const explained = async () =>
      (await ask(world, 'eth_getTransactionReceipt', [first.hash], { headers })).quorate
    for (const node of Object.values(world.nodes)) node.on.eth_getBlockReceipts = says(null)
    expect(await explained()).toMatchObject({ agreed: 2, proven: false })
    for (const node of Object.values(world.nodes)) node.on = on
    await world.clock.advance(600_000)
    expect(await explained()).toMatchObject({ agreed: 3, proven: true })
  })

  test('where no node has the receipts of whole blocks', async () => {
    const none = says(null)
    const world = worldWith([1, 2, 3].map(() => lies({ eth_getBlockReceipts: none })))
    expect(await askAt(world, 'eth_getTransactionReceipt', [first.hash])).toMatchObject({ headers: byQuorum })
    expect(proofFaults(world)).toEqual([])
  })

  const tiny = '{"status":"0x1","cumulativeGasUsed":"0x1","logs":[]}'
  const longTopics = `"0x${'7'.repeat(64)}",`.repeat(20_000)
  test.each([
    ['more than 32 of them', `[${`${tiny},`.repeat(33)}${tiny}]`],
    ['of a hundred thousand', `[${`${tiny},`.repeat(100_000)}${tiny}]`],
    [
      'of a megabyte',
      `[{"status":"0x1","cumulativeGasUsed":"0x1","logs":[{"address":"${contract}","topics":[${longTopics.slice(0, -1)}],"data":"0x"}]}]`,
    ],
  ])('where a node sends more receipts than are worth it, %s: they are not hashed', async (_, text) => {
    const world = worldWith([lies({ eth_getBlockReceipts: saysText(text) }), honest, honest])
    const { headers } = await askAt(world, 'eth_getTransactionReceipt', [first.hash])
    expect(headers).toMatchObject(byQuorum)
    expect(proofFaults(world)).toEqual([])
  })

  test('for more than is worth it: a range whose blocks are not all known', async () => {
    const world = worldWith([honest, honest, honest])
    const { headers } = await askAt(world, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: '0x2' }])
    expect(headers).toMatchObject(byQuorum)
  })

  test('on Polygon before its state syncs were in blooms', async () => {
    const world = worldWith([honest, honest, honest], { chainId: 137 })
    const { headers } = await askAt(world, 'eth_getLogs', [{ blockHash: hash, address: contract }])
    expect(headers['x-quorate-agreement']).not.toContain('proven')
    expect(requestsOf(world, 'eth_getBlockReceipts')).toEqual([])
  })
})
