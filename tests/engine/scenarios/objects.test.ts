import { describe, expect, test } from 'vitest'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import { publicCertificate } from '#lib/certificate/public-certificate.ts'
import { rpc } from '../../support/gateway-calls.ts'
import { hangs, late, type Reply, says } from '../../support/replies.ts'
import { blockAt, hashOf, hex, receiptAt } from '../../support/scripted-chain.ts'
import { sends, worldOf } from '../../support/world.ts'
import { type Signed, unsent } from '../sim/signed.ts'
import { agreement, noQuorum } from '../support/outcomes.ts'

test('case 18: vendor fields neither split an agreement nor are returned from one node alone', async () => {
  const plain = blockAt(1000)
  const world = worldOf([{ on: blocks({ ...plain, vendor: 'x' }) }, { on: blocks(plain) }], { quorum: 2 })
  const answer = await rpc(world, 'eth_getBlockByHash', [hashOf(1000), false])
  expect(answer.result).toEqual(plain)
  expect(sends(world)).toBe('a@0 b@0')
})

test('extra block fields from an operator that contradicts itself are not counted', async () => {
  const [plain, vendor] = [blockAt(1000), { ...blockAt(1000), vendor: 'x' }]
  const other = { ...plain, gasUsed: '0x1' }
  const offers = (block: object, ms: number) => ({ on: { eth_getBlockByHash: late(ms, says(block)) } })
  const ofX = (name: string, block: object, ms: number) => ({ name, operator: 'x', ...offers(block, ms) })
  const y = { name: 'y', ...offers(vendor, 1100) }
  const z = { name: 'z', ...offers(plain, 450) }
  const world = worldOf([ofX('x1', vendor, 1000), y, ofX('x2', other, 300), z], { quorum: 2 })
  // x is excluded when x2 replies (at 1050 ms); y and z agree on the block, and only y has the vendor field.
  const answer = await rpc(world, 'eth_getBlockByHash', [hashOf(1000), false])
  expect(answer).toMatchObject({ ms: 1200 })
  expect(answer.result).toEqual(plain)
})

test('case 19: one receipt does not win against two nulls, but all three are asked', async () => {
  const slow = worldOf([late(300, says(receiptAt(1000))), says(null), says(null)], { quorum: 2 })
  expect(await rpc(slow, 'eth_getTransactionReceipt')).toMatchObject({ result: null, ms: 300 })
  expect(sends(slow)).toBe('a@0 b@0 c@0')
  const stalled = worldOf([hangs, says(null), says(null)], { quorum: 2 })
  expect(await rpc(stalled, 'eth_getTransactionReceipt')).toMatchObject({ result: null, ms: 750 })
})

test('case 19: a receipt from two nodes wins over one null', async () => {
  const receipt = says(receiptAt(1000))
  const world = worldOf([receipt, says(null), late(9, receipt)], { quorum: 2 })
  expect(await rpc(world, 'eth_getTransactionReceipt')).toMatchObject({
    result: receiptAt(1000),
    ms: 9,
  })
  expect(sends(world)).toBe('a@0 b@0 c@0')
})

test('a node with the weight of a quorum does not win alone against a null, nor is it waited for', async () => {
  const world = worldOf([says(null), { weight: 5, reply: late(5, says(receiptAt(1000))) }], { quorum: 3 })
  const answer = await rpc(world, 'eth_getTransactionReceipt')
  expect(answer).toMatchObject({ ms: 5, ...noQuorum('disagree') })
  const undoubted = worldOf([{ weight: 5, reply: says(receiptAt(1000)) }, says(null)], { quorum: 3 })
  expect(await rpc(undoubted, 'eth_getTransactionReceipt')).toMatchObject({
    result: { status: '0x1' },
  })
})

const blocks = (block: object) => ({ eth_getBlockByHash: says(block) })

describe('a transaction that is mined for some nodes and pending for others', () => {
  const { hash, object: shown } = (unsent.get(1) ?? [])[0] as Signed
  /** A type outside of Ethereum, so its hash cannot be verified here. */
  const foreign = { ...shown, type: '0x7e' }
  const waiting = (transaction: object = shown) =>
    says({ ...transaction, blockHash: null, blockNumber: null, transactionIndex: null })
  const at = (number: number, transaction: object = shown) =>
    says({ ...transaction, blockHash: hashOf(number), blockNumber: hex(number), transactionIndex: '0x0' })
  const look = async (...replies: readonly Reply[]) => {
    const world = worldOf(replies, { quorum: 2 })
    const answer = await rpc(world, 'eth_getTransactionByHash', [hash])
    const certificate = world.gateway.certificate(answer.headers['x-quorate-answer'] ?? '')
    const sent = { ...publicCertificate(certificate!, null), signature: null }
    const { verdict } = await checkCertificate(sent)
    const dissenters = world.events.flatMap((event) => (event.type === 'dissent' ? [event.node] : []))
    return { ...answer, dissenters, verdict }
  }
  const known = {
    result: { hash, blockHash: null, blockNumber: null, transactionIndex: null },
    // The certificate is consistent: it only lacks a signature.
    verdict: 'unsigned',
  }

  test('is pending as far as a quorum can tell', async () => {
    expect(await look(waiting(), at(1000), says(null))).toMatchObject({ ...known, ...agreement('2/2/3') })
    expect(await look(at(1000), waiting())).toMatchObject({ ...known, dissenters: [] })
    expect(await look(at(1000), at(999), waiting())).toMatchObject({ ...known, dissenters: [] })
    expect(await look(says(null), at(1000), waiting(), says('nonsense'))).toMatchObject(known)
    expect(await look(at(1000, foreign), waiting(foreign))).toMatchObject(known)
  })

  test('is pending when a node omits the block fields instead of sending null', async () => {
    const { blockHash, blockNumber, transactionIndex, ...absent } = { ...shown } as Record<string, unknown>
    expect(await look(says(absent), at(1000), says(null))).toMatchObject({ result: { hash } })
    expect(await look(at(1000), says(absent))).toMatchObject({ result: { hash }, dissenters: [] })
  })

  test('is in the block that a quorum reports', async () => {
    expect(await look(waiting(), at(1000), at(1000))).toMatchObject({ result: { blockNumber: hex(1000) } })
  })

  test('is not found when only one node knows it', async () => {
    expect(await look(waiting(), says(null), says(null))).toMatchObject({ result: null })
    expect(await look(at(1000), at(999), says(null))).toMatchObject(noQuorum())
  })

  test.each([
    ['another sender', shown, { from: `0x${'66'.repeat(20)}` }],
    ['another value, of a type whose hash cannot be verified', foreign, { value: '0x666' }],
  ])('is not decided by one node alone: %s', async (_, honest, lie) => {
    const lying = { ...honest, ...lie }
    expect(await look(waiting(lying), at(1000, honest), says(null))).toMatchObject(noQuorum())
    expect(await look(at(1000, lying), waiting(honest), says(null))).toMatchObject(noQuorum())
    const rightly = { result: { ...honest, blockHash: null } }
    expect(await look(waiting(lying), at(1000, honest), waiting(honest))).toMatchObject(rightly)
  })
})
