import { afterEach, describe, expect, test, vi } from 'vitest'
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
const isKnown = () => false
const asked = recordOf({ status: 'unanswered', reviewed, since, sentAs: null })
afterEach(() => void vi.useRealTimers())

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
    expect(await findUnanswered(asked, read, isKnown)).toEqual({ sentAs: hashOf('b'), nonce: 6 })
  })

  test('is not what another record has already, and is looked for further on the next time', async () => {
    const { read } = chainWith([{ block: 950, nonce: 5, hash: hashOf('a') }])
    const isOther = (hash: string) => hash === hashOf('a')
    expect(await findUnanswered(asked, read, isOther)).toEqual({ since: { nonce: 6 } })
  })

  test('stays unknown without an answer, and is let go of after a day', async () => {
    expect(await findUnanswered(asked, chainWith([]).read, isKnown)).toEqual({})
    expect(await findUnanswered(asked, async () => [refused('silent')], isKnown)).toEqual({})
    vi.useFakeTimers({ now: asked.sentMs + 24 * 60 * 60_000 + 1 })
    expect(await findUnanswered(asked, chainWith([]).read, isKnown)).toEqual({ status: 'untracked' })
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
