import { describe, expect, test } from 'vitest'
import { AgreedChain } from '../../../../rpc-proxy/heads/known-blocks.ts'
import { emptyBloom, type Fork, hashOf } from '../../../support/scripted-chain.ts'

const block = (
  number: number,
  fork: Fork | null = null,
  parentHash: string | null = hashOf(number - 1, fork),
) => ({
  number,
  hash: hashOf(number, fork),
  parentHash,
  logsBloom: emptyBloom,
  gasLimit: 30_000_000,
  transactions: '',
  stateRoot: null,
  verified: null,
})
const id = (number: number, fork: Fork | null = null) => ({ number, hash: hashOf(number, fork) })
const fork = (from: number) => ({ name: 'y', from })

describe('agreed blocks', () => {
  test('are known by number, including the parent of the first', () => {
    const chain = new AgreedChain()
    expect(chain.head()).toBeNull()
    expect(chain.admit(block(100))).toBeNull()
    expect(chain.admit(block(101))).toBeNull()
    expect([99, 100, 101].map((number) => chain.hashAt(number))).toEqual([
      hashOf(99),
      hashOf(100),
      hashOf(101),
    ])
    expect(chain.head()?.number).toBe(101)
    expect(chain.below(101)).toEqual(id(100))
    expect(chain.below(99)).toBeNull()
  })

  test('keep their head when an older block is admitted', () => {
    const chain = new AgreedChain()
    chain.admit(block(100))
    chain.admit(block(101))
    expect(chain.admit(block(100))).toBeNull()
    expect(chain.head()?.number).toBe(101)
  })

  test('are bounded', () => {
    const chain = new AgreedChain(16)
    for (let number = 1; number < 100; number++) chain.admit(block(number))
    expect([82, 99].map((number) => chain.hashAt(number))).toEqual([null, hashOf(99)])
    expect(chain.blockAt(99)?.logsBloom).toBe(emptyBloom)
    expect(chain.blockAt(50)).toBeNull()
  })

  test('keep the fields that were agreed', () => {
    const chain = new AgreedChain()
    chain.admit(block(100))
    chain.admit({ ...block(100), logsBloom: null, gasLimit: null })
    expect(chain.blockAt(100)).toEqual(block(100))
    chain.admit({ ...block(101), gasLimit: null })
    chain.admit({ ...block(101), logsBloom: null })
    expect(chain.blockAt(101)).toEqual(block(101))
  })

  test('keep what follows from their hash, whatever a quorum says of it later', () => {
    const chain = new AgreedChain()
    const verified = { ...block(100), stateRoot: hashOf(7) }
    chain.admit(verified)
    chain.admit({ ...block(100), gasLimit: 1, transactions: 'b0d7' })
    expect(chain.blockAt(100)).toEqual({ ...verified, transactions: 'b0d7' })
  })
})

describe('a reorg', () => {
  const grown = () => {
    const chain = new AgreedChain()
    for (let number = 98; number <= 101; number++) chain.admit(block(number))
    return chain
  }

  test('is another hash at a known number', () => {
    const chain = grown()
    expect(chain.admit(block(101, fork(101)))).toMatchObject({ from: id(101) })
    expect([chain.hashAt(101), chain.hashAt(100)]).toEqual([hashOf(101, fork(101)), hashOf(100)])
  })

  test('is another parent than the known one, even for a new block', () => {
    const chain = grown()
    expect(chain.admit(block(102, fork(101)))).toMatchObject({ from: id(101) })
    expect(chain.hashAt(102)).toBe(hashOf(102, fork(101)))
    expect(chain.hashAt(101)).toBe(hashOf(101, fork(101)))
  })

  test('may lower the head, and drops everything above it', () => {
    const chain = grown()
    expect(chain.admit(block(99, fork(99)))).toMatchObject({ from: id(101) })
    expect(chain.head()).toMatchObject(id(99, fork(99)))
    expect([100, 101].map((number) => chain.hashAt(number))).toEqual([null, null])
    expect([100, 101].map((number) => chain.blockAt(number))).toEqual([null, null])
  })

  test('keeps only old blocks that the new one confirms', () => {
    const chain = grown()
    chain.admit(block(101, fork(99)))
    expect([98, 99].map((number) => chain.hashAt(number))).toEqual([null, null])
    expect(chain.hashAt(100)).toBe(hashOf(100, fork(99)))
  })
})

describe('a block that was read by its number', () => {
  test('counts once it is known to be an ancestor of the head', () => {
    const chain = new AgreedChain()
    chain.admit(block(100))
    chain.admit(block(105))
    expect([chain.hashAt(100), chain.hashAt(103), chain.lowest()]).toEqual([null, null, 104])
    expect(chain.unreadFrom(102)).toEqual([102, 103, 104])
    for (const number of [102, 103]) expect(chain.learn(block(number))).toBeNull()
    expect([chain.hashAt(103), chain.lowest()]).toEqual([null, 104])
    expect(chain.unreadFrom(102)).toEqual([104])
    expect(chain.learn(block(104))).toBeNull()
    expect([101, 102, 103].map((number) => chain.hashAt(number))).toEqual(
      [101, 102, 103].map((number) => hashOf(number)),
    )
    expect(chain.learn(block(101))).toBeNull()
    // The blocks agreed before the jump are linked again.
    expect([99, 100].map((number) => chain.hashAt(number))).toEqual([99, 100].map((number) => hashOf(number)))
  })

  test('on another branch than the head is ignored', () => {
    const chain = new AgreedChain()
    chain.admit(block(105))
    expect(chain.learn(block(104, fork(104)))).toBeNull()
    expect([chain.hashAt(103), chain.lowest()]).toEqual([null, 104])
  })

  test('shows that an older agreed block is gone', () => {
    const chain = new AgreedChain()
    chain.admit(block(100))
    chain.admit(block(102, fork(100)))
    expect(chain.learn(block(101, fork(100)))).toEqual(id(100))
    expect(chain.hashAt(100)).toBe(hashOf(100, fork(100)))
    expect(chain.lastHashAt(99)).toBeNull()
  })

  test('above the head or far below it is not kept', () => {
    const chain = new AgreedChain(16)
    chain.admit(block(105))
    for (const number of [106, 80]) chain.learn(block(number))
    expect(chain.unreadFrom(80)).toContain(80)
    expect(chain.lowest()).toBe(104)
  })
})
