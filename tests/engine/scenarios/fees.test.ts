import { describe, expect, test } from 'vitest'
import { rpc } from '../../support/gateway-calls.ts'
import { fails, hangs, says } from '../../support/replies.ts'
import { sends, three, worldOf } from '../../support/world.ts'
import { noQuorum } from '../support/outcomes.ts'

const history = says({
  oldestBlock: '0x3e7',
  baseFeePerGas: ['0x64', '0x65', '0x66'],
  gasUsedRatio: [0.5, 0.5],
  reward: [['0x3'], ['0x5']],
})
const nodes = [{ on: { eth_feeHistory: history } }, { on: { eth_feeHistory: history } }]

test('a price is derived from the agreed fee history, even when eth_feeHistory is denied to callers', async () => {
  const world = worldOf(nodes, { quorum: 2, methods: { deny: ['eth_feeHistory'] } })
  expect(await rpc(world, 'eth_gasPrice')).toMatchObject({ result: '0x6b' })
  expect(sends(world)).toBe('a@0 b@0')
  expect(await rpc(world, 'eth_maxPriorityFeePerGas')).toMatchObject({ result: '0x5' })
  const { error } = await rpc(world, 'eth_feeHistory', ['0x2', 'latest', []])
  expect(error?.code).toBe(-32601)
})

test('a price names the method that the nodes lack', async () => {
  const without = { on: { eth_feeHistory: fails(-32601, 'the method is not available on this plan') } }
  const error = { code: -32601, message: 'the method eth_feeHistory does not exist / is not available' }
  expect(await rpc(worldOf([without, without]), 'eth_gasPrice')).toMatchObject({ error })
})

test('a price charges its caller once', async () => {
  const world = worldOf(nodes, { quorum: 2, rate: { costPerMinute: 18, siteCallsPerSecond: null } })
  for (const status of [200, 200, 429])
    expect((await rpc(world, 'eth_gasPrice', [], { caller: '192.0.2.1' })).status).toBe(status)
})

describe('base fees are those of the next block in the agreed history', () => {
  const next = (fields: object) =>
    says({
      oldestBlock: '0x3e8',
      baseFeePerGas: ['0x64', '0x65'],
      gasUsedRatio: [0],
      reward: [['0x0']],
      ...fields,
    })
  /** Their own words must not be used. */
  const wrong = says('0xffffffff')
  const priced = (fields: object, chainId = 1) => {
    const on = { eth_feeHistory: next(fields), eth_blobBaseFee: wrong, eth_baseFee: wrong }
    return worldOf(three({ on }), { quorum: 2, chainId })
  }
  const blobs = { baseFeePerBlobGas: ['0x5', '0x6'], blobGasUsedRatio: [1] }

  test('and no node is asked for its own', async () => {
    const world = priced(blobs)
    expect(await rpc(world, 'eth_baseFee')).toMatchObject({ result: '0x65' })
    expect(await rpc(world, 'eth_blobBaseFee')).toMatchObject({ result: '0x6' })
    expect(world.requests.filter(({ method }) => /^eth_(blobB|b)aseFee$/.test(method))).toEqual([])
  })

  test('and one liar decides neither fee, with one honest node silent', async () => {
    const world = priced(blobs)
    const lie = { baseFeePerBlobGas: ['0x5', '0xffffffff'], baseFeePerGas: ['0x64', '0xffffffff'] }
    world.nodes.a!.on.eth_feeHistory = next({ ...blobs, ...lie })
    world.nodes.c!.on.eth_feeHistory = hangs
    for (const method of ['eth_baseFee', 'eth_blobBaseFee'])
      expect(await rpc(world, method)).toMatchObject(noQuorum())
  })

  test.each([
    ['absent', {}],
    ['null', { baseFeePerBlobGas: null, blobGasUsedRatio: null }],
    ['zeros', { baseFeePerBlobGas: ['0x0', '0x0'], blobGasUsedRatio: [0] }],
  ])('a chain without blobs has no blob base fee: its history is %s', async (_, fields) => {
    expect(await rpc(priced(fields), 'eth_blobBaseFee')).toMatchObject({ result: null })
  })

  const low = { gasUsedRatio: [0.5], reward: [['0x3b9aca00']] }
  test.each([
    ['after empty blocks', 1, {}, '0x3b9aca00', '0x3b9aca65'],
    ['after empty blocks', 137, {}, '0x5d21dba00', '0x5d21dba65'],
    ['after empty blocks', 42161, {}, '0x0', '0x65'],
    ['after lower tips', 137, low, '0x5d21dba00', '0x5d21dba65'],
  ])(
    '%s the tip and the price on chain %i are ones that its nodes accept',
    async (_, chainId, fields, tip, price) => {
      const world = priced(fields, chainId)
      expect(await rpc(world, 'eth_maxPriorityFeePerGas')).toMatchObject({ result: tip })
      expect(await rpc(world, 'eth_gasPrice')).toMatchObject({ result: price })
    },
  )
})
