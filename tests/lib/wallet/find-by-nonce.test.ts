import { concat, type Hex, numberToHex } from 'viem'
import { describe, expect, test, vi } from 'vitest'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
import type { TransactionRecord } from '#lib/wallet/stored-transactions.ts'
import { findByNonce, findUnanswered, recheck, trackTransaction } from '#lib/wallet/track.ts'
import { agreed, refused } from '../../support/readings.ts'
import { own as from, other as to } from './accounts.ts'
import { words } from './event-words.ts'
import { recordOf } from './record.ts'

const reviewed = { to, value: '0xde0b6b3a7640000', data: '0x' } as const
const hashOf = (name: string) => `0x${name.padStart(64, '0')}` as const

interface Mined {
  readonly block: number
  readonly nonce: number
  readonly hash: Hex
  readonly to?: string
  readonly value?: string
}

/** A chain up to block 1,000 in which the account sent these. */
function chainWith(mined: readonly Mined[], { final = 1000 } = {}) {
  const asked: string[] = []
  const answer = ({ method, params }: ReadCall): Reading => {
    if (method === 'eth_blockNumber') return agreed('0x3e8')
    if (method === 'eth_getBlockByNumber') return agreed({ number: numberToHex(final) })
    if (method === 'eth_getTransactionBySenderAndNonce') {
      const use = mined.find(({ nonce }) => nonce === Number(params[1]))
      if (use === undefined) return agreed(null)
      const { hash, block, to = reviewed.to, value = reviewed.value } = use
      return agreed({ hash, from, to, value, input: '0x', blockNumber: numberToHex(block) })
    }
    const found = mined.find(({ hash }) => hash === params[0])
    if (method !== 'eth_getTransactionReceipt') return agreed(null)
    return agreed(found ? { blockNumber: numberToHex(found.block), status: '0x1' } : null)
  }
  const read = async (calls: readonly ReadCall[]) => {
    asked.push(...calls.map(({ method }) => method))
    return calls.map(answer)
  }
  return { read, asked }
}

const since = { nonce: 5 }
const asked = recordOf({ status: 'unanswered', reviewed, since, sentAs: null })

describe('what used a nonce', () => {
  test('is found by the gateway, with one batch', async () => {
    const { read, asked } = chainWith([{ block: 950, nonce: 5, hash: hashOf('a') }])
    expect(await findByNonce(from, 5, read)).toMatchObject({ hash: hashOf('a'), seen: 51 })
    expect(asked).toEqual(['eth_blockNumber', 'eth_getTransactionBySenderAndNonce'])
  })

  test('is nothing while it is not used, and not known where the nodes do not agree', async () => {
    expect(await findByNonce(from, 5, chainWith([]).read)).toBe(null)
    expect(await findByNonce(from, 5, async () => [refused('silent'), refused('silent')])).toBeUndefined()
  })
})

describe('what the wallet was asked to send', () => {
  const mined = { block: 950, nonce: 5, hash: hashOf('a') }
  const second = { ...mined, nonce: 6, hash: hashOf('b') }
  const changed = { ...mined, value: '0x1' }
  const found = { kind: 'sent', isReverted: false, from, to, value: '0x1', data: '0x' }
  const cancel = { ...changed, block: 998, to: from, value: '0x0' }
  const cancelled = { nonce: 5, status: 'replaced', replacedBy: { hash: hashOf('a'), isCancel: true } }
  const sent = recordOf({ reviewed, since })
  const earlier = recordOf({ hash: hashOf('c'), reviewed, since, sentMs: asked.sentMs - 1 })
  const paying = { ...reviewed, value: '0x1' } as const
  const later = recordOf({ hash: hashOf('d'), reviewed: paying, sentMs: asked.sentMs + 1 })
  const hasIt = recordOf({ hash: hashOf('a') })
  const next = { since: { nonce: 6 } }
  const isSecond = { sentAs: hashOf('b'), nonce: 6 }

  type Known = { readonly record?: TransactionRecord; readonly others?: readonly TransactionRecord[] }
  test.each<[string, readonly Mined[], object, Known?]>([
    ['is found in one block with others', [changed, second], isSecond],
    ['is found after others', [changed, { ...second, block: 960 }], isSecond],
    ['is not what another record has, and is looked for further on', [mined], next, { others: [hasIt] }],
    ['stays unknown while nothing used its nonce', [], {}],
    ['is looked for further on after something else, which is told', [changed], { found, ...next }],
    [
      'is looked for further on after more',
      [changed, { ...second, value: '0x2' }],
      { found, since: { nonce: 7 } },
    ],
    ['is answered: something else is nothing new', [changed], next, { record: sent }],
    ['is answered, and cancelled', [cancel], cancelled, { record: sent }],
    ['is cancelled', [cancel], cancelled],
    ['is not cancelled yet while few blocks stand on that', [{ ...cancel, block: 999 }], {}],
    ['may be an earlier record’s: something else is not told', [changed], {}, { others: [earlier] }],
    ['may be an earlier record’s: a cancel is not told', [cancel], {}, { others: [earlier] }],
    ['is beside what a later record asked for, which is not told', [changed], next, { others: [later] }],
  ])('%s', async (_, uses, sighting, { record = asked, others = [] } = {}) => {
    expect(await findUnanswered(record, chainWith(uses).read, others)).toEqual(sighting)
  })

  test('stays unknown without a quorum, and is let go of after a day', async () => {
    expect(await findUnanswered(asked, async () => [refused('silent')], [])).toEqual({})
    vi.useFakeTimers({ now: asked.sentMs + 24 * 60 * 60_000 + 1 })
    expect(await findUnanswered(asked, chainWith([]).read, [])).toEqual({ status: 'untracked' })
  })
})

describe('what a Safe was asked to send', () => {
  const safe = { value: '0xde0b6b3a7640000', isKnown: true, others: [] as readonly TransactionRecord[] }
  const others = [recordOf({ hash: hashOf('e') })]

  // On a chain up to block 5,000 in which an owner had the Safe pay this, in a transaction of block 1,200.
  test.each<[string, number, object, Partial<typeof safe>?]>([
    ['is looked for by the event of the Safe, a thousand blocks at a time', 100, { sinceBlock: 1100 }],
    ['is found', 1100, { sentAs: hashOf('e') }],
    ['is looked for up to the last block', 4900, { sinceBlock: 5001 }],
    ['is awaited where there is no block yet', 5001, {}],
    ['is not something else of the Safe', 1100, { sinceBlock: 2100 }, { value: '0x7' }],
    ['is not that of another record', 1100, { sinceBlock: 2100 }, { others }],
    ['is looked for again where nodes fail', 1100, {}, { isKnown: false }],
  ])('%s', async (_, sinceBlock, sighting, change) => {
    const { value, isKnown, others } = { ...safe, ...change }
    const answer = ({ method, params }: ReadCall): Reading => {
      if (method === 'eth_blockNumber') return agreed('0x1388')
      if (method === 'eth_getTransactionByHash') {
        const input = concat(['0x6a761202', words(to, value)])
        return isKnown ? agreed({ from: to, to: from, value: '0x0', input }) : refused('silent')
      }
      const [{ address, fromBlock, toBlock }] = params as [Record<string, string>]
      const isIn = Number(fromBlock) <= 1200 && 1200 <= Number(toBlock)
      return agreed(isIn ? [{ address, topics: [], data: '0x', transactionHash: hashOf('e') }] : [])
    }
    const record = recordOf({ status: 'unanswered', reviewed, sinceBlock, sentAs: null })
    const read = async (calls: readonly ReadCall[]) => calls.map(answer)
    expect(await findUnanswered(record, read, others)).toEqual(sighting)
  })
})

describe('a transaction that no node shows any more', () => {
  const record = recordOf({ nonce: 5, reviewed, since })
  const cancel = { to: from, value: '0x0' }
  const replaced = (isCancel: boolean) => ({
    status: 'replaced',
    replacedBy: { hash: hashOf('b'), isCancel },
  })

  test.each([
    ['that the wallet sped up is followed by its new hash', 1000, {}, { sentAs: hashOf('b') }],
    ['that the wallet cancelled is awaited while few blocks stand on it', 999, cancel, {}],
    ['that the wallet cancelled is cancelled once enough do', 998, cancel, replaced(true)],
    ['whose nonce something else used is replaced by that', 990, { value: '0x7' }, replaced(false)],
  ])('and %s', async (_, block, change, sighting) => {
    const { read } = chainWith([{ block, nonce: 5, hash: hashOf('b'), ...change }])
    expect(await trackTransaction(record, read)).toEqual(sighting)
  })
})

describe('a confirmed transaction is looked at once more when its block is final', () => {
  const record = recordOf({ status: 'confirmed', block: 990, seen: 3, isProvisional: true })
  const mined = { block: 990, nonce: 5, hash: record.hash }
  const pending = { status: 'pending', block: null, seen: 0, isProvisional: false }

  test.each([
    ['is not settled before', chainWith([mined], { final: 989 }), {}],
    ['is settled for good if it is still there', chainWith([mined]), { isProvisional: false }],
    ['is not settled without a quorum', { read: async () => [refused('silent')] }, {}],
    ['is pending again if a reorganisation took it away', chainWith([]), pending],
    ['is pending again if a reorganisation moved it', chainWith([{ ...mined, block: 995 }]), pending],
  ])('and %s', async (_, { read }, sighting) => {
    expect(await recheck(record, read)).toEqual(sighting)
  })
})
