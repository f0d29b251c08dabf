import { describe, expect, test } from 'vitest'
import { AgreedChain } from '../../../../rpc-proxy/heads/agreement.ts'
import { type Fork, hashOf } from '../../../support/scripted-chain.ts'
import { header } from './agreed-header.ts'

const block = (number: number, fork: Fork | null = null) => {
  const { timeMs: _, ...agreed } = header(number, fork)
  return agreed
}
const id = (number: number, fork: Fork | null = null) => ({ number, hash: hashOf(number, fork) })
const fork = (from: number) => ({ name: 'y', from })

describe('agreed blocks', () => {
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

describe('a block that was read by its number', () => {
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
})
