import { describe, expect, test } from 'vitest'
import { publicCertificate } from '#lib/certificate/public-certificate.ts'
import { isResultOf } from '#lib/certificate/result-of.ts'
import { account, rpc } from '../../support/gateway-calls.ts'
import { fails, type Reply, says } from '../../support/replies.ts'
import { hashOf, hex, receiptAt } from '../../support/scripted-chain.ts'
import { worldOf } from '../../support/world.ts'
import { cache, noQuorum } from '../support/outcomes.ts'

describe('an access list when implementations report different gas', () => {
  const listed = (gasUsed: string, key = '1') =>
    says({ accessList: [{ address: account, storageKeys: [`0x${key.padStart(64, '0')}`] }], gasUsed })
  const asking = (...replies: readonly Reply[]) =>
    rpc(worldOf(replies, { quorum: 2 }), 'eth_createAccessList', [{ to: account }, 'latest'])

  test('has the gas that a quorum reports', async () => {
    expect(await asking(listed('0x6000'), listed('0x7000'), listed('0x6000'))).toMatchObject({
      result: { gasUsed: '0x6000' },
    })
  })

  test('has a gas between the honest values, whatever a third node reports', async () => {
    for (const lie of ['0x1', '0xffffff', '0x6800']) {
      const { result } = await asking(listed('0x6000'), listed(lie), listed('0x7000'))
      const gas = Number((result as { gasUsed: string }).gasUsed)
      expect(gas).toBeGreaterThanOrEqual(0x6000)
      expect(gas).toBeLessThanOrEqual(0x7000)
    }
  })

  test('has no gas when two nodes differ and no other answers', async () => {
    const lacks = fails(-32601, 'no such method')
    const { result, headers } = await asking(listed('0x6000'), listed('0x7000'), lacks)
    expect(result).toHaveProperty('accessList')
    expect(result).not.toHaveProperty('gasUsed')
    expect(headers).toMatchObject({ 'x-quorate-agreement': '2/2/3' })
  })

  test('is certified as the gateway returned it, not as one node sent it', async () => {
    const world = worldOf([listed('0x6000'), listed('0x7000'), fails(-32601, 'no such method')], {
      quorum: 2,
    })
    const { result, headers } = await rpc(world, 'eth_createAccessList', [{ to: account }, 'latest'])
    const certificate = world.gateway.certificate(headers['x-quorate-answer'] ?? '')
    const isCertified = (more: object) =>
      isResultOf(publicCertificate(certificate!, null), {
        shape: 'access-list',
        result: { ...(result as object), ...more },
      })
    expect(certificate).toMatchObject({ ruleId: 'joined', dissenting: 0 })
    expect(await isCertified({})).toBe(true)
    expect(await isCertified({ gasUsed: '0x6000' })).toBe(false)
    expect(await isCertified({ gasUsed: '0x7000' })).toBe(false)
  })

  test('without gas is not cached, so it has gas once a third node answers', async () => {
    const world = worldOf([listed('0x6000'), listed('0x7000'), fails(-32000, 'Unauthorized')], { quorum: 2 })
    const asking = () => rpc(world, 'eth_createAccessList', [{ to: account }, 'latest'])
    expect((await asking()).result).not.toHaveProperty('gasUsed')
    world.nodes.c!.reply = listed('0x7000')
    expect(await asking()).toMatchObject({ result: { gasUsed: '0x7000' } })
    expect(await asking()).toMatchObject(cache('hit'))
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

  test('has the field that a quorum reports', async () => {
    expect(await asking([root, paid, root])).toMatchObject({ result: root })
    expect(await asking([paid, root, paid])).toMatchObject({ result: paid })
    expect(await asking([unpaid, paid, root, paid])).toMatchObject({ result: paid })
  })

  test('is disputed when statuses, roots or gas differ', async () => {
    const disputed = { error: { code: -32010 } }
    expect(await asking([paid, unpaid])).toMatchObject(disputed)
    expect(await asking([root, { root: `0x${'58'.repeat(32)}` }])).toMatchObject(disputed)
    expect(await asking([root, { ...paid, gasUsed: '0x5209' }])).toMatchObject(disputed)
  })

  test('has a status on every other chain', async () => {
    expect(await asking([root, paid], 137)).toMatchObject(noQuorum())
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
  const made = (hash: string, transactions: readonly object[]) => [
    {
      number: hex(1001),
      hash,
      timestamp: '0x1',
      gasLimit: '0x1',
      gasUsed: '0x1',
      baseFeePerGas: '0x0',
      transactions,
      calls: [{ status: '0x1', returnData: '0x', gasUsed: '0x1', logs: [] }],
    },
  ]
  const accessList = [{ address: account, storageKeys: [] }]
  const swapped = [{ storageKeys: [], address: account }]
  const { from, ...others } = transaction
  const [one, two] = [hashOf(1001), hashOf(1002)]
  const world = worldOf(
    [
      says(made(one, [{ ...transaction, accessList, blockHash: one }])),
      says(made(two, [{ blockHash: two, ...others, accessList: swapped, input: '0xAB', from }])),
    ],
    { quorum: 2 },
  )
  const payload = { blockStateCalls: [{ calls: [{ to: account }] }], returnFullTransactions: true }
  const { result } = await rpc(world, 'eth_simulateV1', [payload, 'latest'])
  expect((result as readonly { readonly transactions: unknown }[])[0]?.transactions).toEqual([
    { ...transaction, accessList },
  ])
})
