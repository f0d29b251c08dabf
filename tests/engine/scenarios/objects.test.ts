import { describe, expect, test } from 'vitest'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import { publicCertificate } from '#lib/certificate/public-certificate.ts'
import { rpc } from '../../support/gateway-calls.ts'
import { hangs, late, type Reply, says } from '../../support/replies.ts'
import { blockAt, hashOf, hex, receiptAt } from '../../support/scripted-chain.ts'
import { type Script, sends, worldOf } from '../../support/world.ts'
import { type Signed, unsent } from '../sim/signed.ts'
import { agreement, certificateOf, eventsOf, noQuorum } from '../support/outcomes.ts'

const [plain, vendor] = [blockAt(1000), { ...blockAt(1000), vendor: 'x' }]

test('case 18: vendor fields neither split an agreement nor are returned from one node alone', async () => {
  const world = worldOf([says(vendor), says(plain)], { quorum: 2 })
  expect((await rpc(world, 'eth_getBlockByHash')).result).toEqual(plain)
  expect(sends(world)).toBe('a@0 b@0')
})

test('extra block fields from an operator that contradicts itself are not counted', async () => {
  const other = { ...plain, gasUsed: '0x1' }
  const ofX = (ms: number, block: object) => ({ operator: 'x', reply: late(ms, says(block)) })
  const [y, z] = [late(1100, says(vendor)), late(450, says(plain))]
  const world = worldOf([ofX(1000, vendor), y, ofX(300, other), z], { quorum: 2 })
  // x is excluded when its second node replies (at 1050 ms); y and z agree on the block, and only y has the vendor field.
  const { ms, result } = await rpc(world, 'eth_getBlockByHash')
  expect({ ms, result }).toEqual({ ms: 1200, result: plain })
})

const [receipt, none] = [says(receiptAt(1000)), says(null)]
const found = { result: receiptAt(1000) }
const heavy = (reply: Reply): Script => ({ weight: 5, reply })
const absent = { result: null }
const undecided = noQuorum('disagree')
test.each<[string, readonly (Reply | Script)[], object, string]>([
  ['case 19: a receipt loses to two nulls', [late(300, receipt), none, none], { ...absent, ms: 300 }, 'abc'],
  ['case 19: nor is it waited for after its stall', [hangs, none, none], { ...absent, ms: 750 }, 'abc'],
  ['case 19: two receipts win over one null', [receipt, none, late(9, receipt)], { ...found, ms: 9 }, 'abc'],
  [
    'a heavy node alone does not win against a null',
    [none, heavy(late(5, receipt))],
    { ...undecided, ms: 5 },
    'ab',
  ],
  ['but where none contradicts it', [heavy(receipt), none], found, 'a'],
])('%s', async (_, nodes, expected, order) => {
  const world = worldOf(nodes, { quorum: 2 })
  expect(await rpc(world, 'eth_getTransactionReceipt')).toMatchObject(expected)
  expect(sends(world)).toBe([...order].map((name) => `${name}@0`).join(' '))
})

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
    const sent = { ...publicCertificate(certificateOf(world, answer)!, null), signature: null }
    const { verdict } = await checkCertificate(sent)
    return { ...answer, dissenters: eventsOf(world, 'dissent').map(({ node }) => node), verdict }
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
