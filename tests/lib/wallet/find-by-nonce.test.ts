import { describe, expect, test, vi } from 'vitest'
import type { ReadCall, Reading } from '#lib/page/reading.ts'
import { findByNonce, findUnanswered, recheck, trackTransaction } from '#lib/wallet/track.ts'
import { agreed, refused } from '../../support/readings.ts'
import { own as from, other as to } from './accounts.ts'
import { recordOf } from './record.ts'

const reviewed = { to, value: '0xde0b6b3a7640000', data: '0x' } as const
const hashOf = (name: string) => `0x${name.padStart(64, '0')}` as const

interface Mined {
  readonly block: number
  readonly nonce: number
  readonly hash: `0x${string}`
  readonly to?: string
  readonly value?: string
}

/** A chain up to block 1,000 in which the account sent these. */
function chainWith(mined: readonly Mined[], { final = 1000 } = {}) {
  const asked: string[] = []
  const answer = ({ method, params }: ReadCall): Reading => {
    if (method === 'eth_blockNumber') return agreed('0x3e8')
    if (method === 'eth_getBlockByNumber') return agreed({ number: `0x${final.toString(16)}` })
    if (method === 'eth_getTransactionBySenderAndNonce') {
      const use = mined.find(({ nonce }) => nonce === Number(params[1]))
      if (use === undefined) return agreed(null)
      const { hash, block, to = reviewed.to, value = reviewed.value } = use
      return agreed({ hash, from, to, value, input: '0x', blockNumber: `0x${block.toString(16)}` })
    }
    const found = mined.find(({ hash }) => hash === params[0])
    if (method !== 'eth_getTransactionReceipt') return agreed(null)
    return agreed(found ? { blockNumber: `0x${found.block.toString(16)}`, status: '0x1' } : null)
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
  test('is found among what the account sent since, in one block with others too', async () => {
    const { read } = chainWith([
      { block: 950, nonce: 5, hash: hashOf('a'), value: '0x1' },
      { block: 950, nonce: 6, hash: hashOf('b') },
    ])
    expect(await findUnanswered(asked, read, [])).toEqual({ sentAs: hashOf('b'), nonce: 6 })
  })

  test('is not what another record has already, and is looked for further on the next time', async () => {
    const { read } = chainWith([{ block: 950, nonce: 5, hash: hashOf('a') }])
    const found = recordOf({ hash: hashOf('a') })
    expect(await findUnanswered(asked, read, [found])).toEqual({ since: { nonce: 6 } })
  })

  test('stays unknown without an answer, and is let go of after a day', async () => {
    expect(await findUnanswered(asked, chainWith([]).read, [])).toEqual({})
    expect(await findUnanswered(asked, async () => [refused('silent')], [])).toEqual({})
    vi.useFakeTimers({ now: asked.sentMs + 24 * 60 * 60_000 + 1 })
    expect(await findUnanswered(asked, chainWith([]).read, [])).toEqual({ status: 'untracked' })
  })
})

describe('something else that the account sent since the wallet was asked', () => {
  const changed = { block: 950, nonce: 5, hash: hashOf('a'), value: '0x1' }
  const found = { kind: 'sent', isReverted: false, from, to, value: '0x1', data: '0x' }
  const cancel = { ...changed, block: 998, to: from, value: '0x0' }
  const replacedBy = { hash: hashOf('a'), isCancel: true }

  test('is told while it is not known what was sent, and the call itself is looked for further on', async () => {
    const { read } = chainWith([changed])
    expect(await findUnanswered(asked, read, [])).toEqual({ found, since: { nonce: 6 } })
    const later = chainWith([changed, { ...changed, nonce: 6, hash: hashOf('b'), value: '0x2' }])
    expect(await findUnanswered(asked, later.read, [])).toEqual({ found, since: { nonce: 7 } })
    const both = chainWith([changed, { block: 960, nonce: 6, hash: hashOf('b') }])
    expect(await findUnanswered(asked, both.read, [])).toEqual({ sentAs: hashOf('b'), nonce: 6 })
  })

  test('is nothing new for what the wallet has answered, unless it is a cancel', async () => {
    const sent = recordOf({ reviewed, since })
    expect(await findUnanswered(sent, chainWith([changed]).read, [])).toEqual({ since: { nonce: 6 } })
    const cancelled = { nonce: 5, status: 'replaced', replacedBy }
    expect(await findUnanswered(sent, chainWith([cancel]).read, [])).toEqual(cancelled)
    expect(await findUnanswered(asked, chainWith([cancel]).read, [])).toEqual(cancelled)
  })

  test('is awaited while few blocks stand on a cancel', async () => {
    const { read } = chainWith([{ ...cancel, block: 999 }])
    expect(await findUnanswered(asked, read, [])).toEqual({})
  })

  test('is not told of a later record while an earlier one may be what it stands for, nor what another record asked for', async () => {
    const earlier = recordOf({ hash: hashOf('c'), reviewed, since, sentMs: asked.sentMs - 1 })
    for (const use of [changed, cancel])
      expect(await findUnanswered(asked, chainWith([use]).read, [earlier])).toEqual({})
    const later = recordOf({
      hash: hashOf('d'),
      reviewed: { ...reviewed, value: '0x1' },
      sentMs: asked.sentMs + 1,
    })
    expect(await findUnanswered(asked, chainWith([changed]).read, [later])).toEqual({ since: { nonce: 6 } })
  })
})

describe('what a Safe was asked to send', () => {
  const inSafe = recordOf({ status: 'unanswered', reviewed, sinceBlock: 100, sentAs: null })
  const word = (hex: string) => hex.replace('0x', '').toLowerCase().padStart(64, '0')
  /** A chain up to block 5,000 in which an owner had the Safe pay this, in a transaction of block 1,200. */
  const read =
    (value: string, { isKnown = true } = {}) =>
    async (calls: readonly ReadCall[]) =>
      calls.map(({ method, params }): Reading => {
        if (method === 'eth_blockNumber') return agreed('0x1388')
        if (method === 'eth_getTransactionByHash') {
          const input = `0x6a761202${word(to)}${word(value)}`
          return isKnown ? agreed({ from: to, to: from, value: '0x0', input }) : refused('silent')
        }
        const [{ address, fromBlock, toBlock }] = params as [Record<string, string>]
        const isIn = Number(fromBlock) <= 1200 && 1200 <= Number(toBlock)
        const log = { address, topics: [], data: '0x', transactionHash: hashOf('e') }
        return agreed(isIn ? [log] : [])
      })

  test('is found by the event of the Safe, a thousand blocks at a time', async () => {
    const look = (record = inSafe) => findUnanswered(record, read(reviewed.value), [])
    expect(await look()).toEqual({ sinceBlock: 1100 })
    expect(await look({ ...inSafe, sinceBlock: 1100 })).toEqual({ sentAs: hashOf('e') })
    expect(await look({ ...inSafe, sinceBlock: 4900 })).toEqual({ sinceBlock: 5001 })
    expect(await look({ ...inSafe, sinceBlock: 5001 })).toEqual({})
  })

  test('is not something else of the Safe, nor of another record, and is looked for again where nodes fail', async () => {
    const later = { ...inSafe, sinceBlock: 1100 }
    expect(await findUnanswered(later, read('0x7'), [])).toEqual({ sinceBlock: 2100 })
    const other = recordOf({ hash: hashOf('e') })
    expect(await findUnanswered(later, read(reviewed.value), [other])).toEqual({ sinceBlock: 2100 })
    expect(await findUnanswered(later, read(reviewed.value, { isKnown: false }), [])).toEqual({})
  })
})

describe('a transaction that no node shows any more', () => {
  const record = recordOf({ nonce: 5, reviewed, since })

  const replaced = (isCancel: boolean) => {
    return { status: 'replaced', replacedBy: { hash: hashOf('b'), isCancel } }
  }
  const cancel = { to: from, value: '0x0' }

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

  test('and is settled for good if it is still there', async () => {
    expect(await recheck(record, chainWith([mined], { final: 989 }).read)).toEqual({})
    expect(await recheck(record, chainWith([mined]).read)).toEqual({ isProvisional: false })
    expect(await recheck(record, async () => [refused('silent')])).toEqual({})
  })

  test('and is pending again if a reorganisation took it away, or moved it', async () => {
    const pending = { status: 'pending', block: null, seen: 0, isProvisional: false }
    expect(await recheck(record, chainWith([]).read)).toEqual(pending)
    expect(await recheck(record, chainWith([{ ...mined, block: 995 }]).read)).toEqual(pending)
  })
})
