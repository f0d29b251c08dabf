import { describe, expect, test } from 'vitest'
import { publicCertificate } from '#lib/certificate/public-certificate.ts'
import { isResultOf } from '#lib/certificate/result-of.ts'
import { account, rpc } from '../../support/gateway-calls.ts'
import { fails, type Reply, says } from '../../support/replies.ts'
import { blockAt, hashOf, hex, receiptAt } from '../../support/scripted-chain.ts'
import { type World, worldOf } from '../../support/world.ts'
import { agreement, cache, certificateOf, noQuorum } from '../support/outcomes.ts'

describe('an access list when implementations report different gas', () => {
  const listed = (gasUsed: string, key = '1') =>
    says({ accessList: [{ address: account, storageKeys: [`0x${key.padStart(64, '0')}`] }], gasUsed })
  const listOf = (world: World) => rpc(world, 'eth_createAccessList', [{ to: account }, 'latest'])
  const asking = (...replies: readonly Reply[]) => listOf(worldOf(replies, { quorum: 2 }))

  test('has the gas that a quorum reports', async () => {
    const { result } = await asking(listed('0x6000'), listed('0x7000'), listed('0x6000'))
    expect(result).toMatchObject({ gasUsed: '0x6000' })
  })

  test('has a gas between the honest values, whatever a third node reports', async () => {
    for (const lie of ['0x1', '0xffffff', '0x6800']) {
      const { result } = await asking(listed('0x6000'), listed(lie), listed('0x7000'))
      const gas = Number((result as { gasUsed: string }).gasUsed)
      expect(gas).toBeGreaterThanOrEqual(0x6000)
      expect(gas).toBeLessThanOrEqual(0x7000)
    }
  })

  test('has no gas when two nodes differ and no other answers, and is certified as the gateway returned it', async () => {
    const lacks = fails(-32601, 'no such method')
    const world = worldOf([listed('0x6000'), listed('0x7000'), lacks], { quorum: 2 })
    const answer = await listOf(world)
    const { result } = answer
    expect(answer).toMatchObject({ result: { accessList: [{}] }, ...agreement('2/2/3') })
    expect(result).not.toHaveProperty('gasUsed')
    const certificate = certificateOf(world, answer)
    const isCertified = (more: object) =>
      isResultOf(publicCertificate(certificate!, null), {
        shape: 'access-list',
        result: { ...(result as object), ...more },
      })
    expect(certificate).toMatchObject({ ruleId: 'joined', dissenting: 0 })
    expect(await isCertified({})).toBe(true)
    for (const gasUsed of ['0x6000', '0x7000']) expect(await isCertified({ gasUsed })).toBe(false)
  })

  test('without gas is not cached, so it has gas once a third node answers', async () => {
    const world = worldOf([listed('0x6000'), listed('0x7000'), fails(-32000, 'Unauthorized')], { quorum: 2 })
    expect((await listOf(world)).result).not.toHaveProperty('gasUsed')
    world.nodes.c!.reply = listed('0x7000')
    for (const state of ['miss', 'hit'] as const)
      expect(await listOf(world)).toMatchObject({ result: { gasUsed: '0x7000' }, ...cache(state) })
  })

  test('is no agreement when the lists differ', async () => {
    expect(await asking(listed('0x6000'), listed('0x7000', '2'))).toMatchObject(noQuorum())
  })
})

describe('a pre-Byzantium receipt, with a root from most implementations and a status from some', () => {
  const old = (outcome: object) => {
    const { status: _, ...receipt } = receiptAt(1000, { type: '0x0' })
    return says({ ...receipt, ...outcome })
  }
  const [root, paid, unpaid] = [{ root: `0x${'57'.repeat(32)}` }, { status: '0x1' }, { status: '0x0' }]
  const asking = (outcomes: readonly object[], chainId = 1) =>
    rpc(worldOf(outcomes.map(old), { quorum: 2, chainId }), 'eth_getTransactionReceipt')

  test('is agreed on, without fields that only one node reports', async () => {
    const { result } = await asking([root, paid])
    expect(result).toMatchObject({ blockNumber: hex(1000), gasUsed: '0x5208' })
    expect(result).not.toHaveProperty('status')
    expect(result).not.toHaveProperty('root')
  })

  test.each<[string, readonly object[], object, number?]>([
    ['has the root that a quorum reports', [root, paid, root], { result: root }],
    ['and the status', [paid, root, paid], { result: paid }],
    ['and that of more', [unpaid, paid, root, paid], { result: paid }],
    ['is disputed when statuses differ', [paid, unpaid], noQuorum()],
    ['and roots', [root, { root: `0x${'58'.repeat(32)}` }], noQuorum()],
    ['and gas', [root, { ...paid, gasUsed: '0x5209' }], noQuorum()],
    ['has a status on every other chain', [root, paid], noQuorum(), 137],
  ])('%s', async (_, outcomes, expected, chainId) => {
    expect(await asking(outcomes, chainId)).toMatchObject(expected)
  })
})

test('an old node without effectiveGasPrice does not block the others', async () => {
  const { effectiveGasPrice, ...old } = receiptAt(1000)
  const asking = (...receipts: readonly object[]) =>
    rpc(worldOf(receipts.map(says), { quorum: 2 }), 'eth_getTransactionReceipt')
  expect((await asking(old, receiptAt(1000))).result).toEqual(old)
  expect((await asking(old, receiptAt(1000), receiptAt(1000))).result).toMatchObject({ effectiveGasPrice })
  const otherPrice = { effectiveGasPrice: '0xffff' }
  expect((await asking(receiptAt(1000, otherPrice), receiptAt(1000))).error?.code).toBe(-32010)
})

test('full transactions of a simulated block are returned, although each node has its own hash and key order', async () => {
  const transaction = { from: account, to: account, input: '0xab', nonce: '0x0', value: '0x0', type: '0x2' }
  const calls = [{ status: '0x1', returnData: '0x', gasUsed: '0x1', logs: [] }]
  const made = (hash: string, transactions: readonly object[]) =>
    says([{ ...blockAt(1001), hash, transactions, calls }])
  const accessList = [{ address: account, storageKeys: [] }]
  const swapped = [{ storageKeys: [], address: account }]
  const { from, ...others } = transaction
  const [one, two] = [hashOf(1001), hashOf(1002)]
  const nodes = [
    made(one, [{ ...transaction, accessList, blockHash: one }]),
    made(two, [{ blockHash: two, ...others, accessList: swapped, input: '0xAB', from }]),
  ]
  const payload = { blockStateCalls: [{ calls: [{ to: account }] }], returnFullTransactions: true }
  const { result } = await rpc(worldOf(nodes, { quorum: 2 }), 'eth_simulateV1', [payload, 'latest'])
  const [block] = result as readonly { readonly transactions: unknown }[]
  expect(block?.transactions).toEqual([{ ...transaction, accessList }])
})
