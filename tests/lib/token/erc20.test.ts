import { encodeAbiParameters, encodeEventTopics, erc20Abi, maxUint256, pad, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { Reading } from '#lib/page/reading.ts'
import { readToken, tokenQuestions } from '#lib/token/erc20.ts'
import { eventBlocksMax, eventQuestions, eventsMax, readEvents } from '#lib/token/erc20-events.ts'
import { localTokens } from '#site'
import { agreed, refused } from '../../support/readings.ts'

const [{ address: token, chainId }] = localTokens
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const party = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const uint = (value: bigint) => agreed(encodeAbiParameters([{ type: 'uint256' }], [value]))
const text = (value: string) => agreed(encodeAbiParameters([{ type: 'string' }], [value]))

function facts({ name = text('Demo Dollar'), symbol = text('DUSD'), decimals = uint(6n) } = {}) {
  const answers = [decimals, uint(10n ** 13n), name, symbol, uint(5n)]
  const { value, ...read } = readToken({ chainId, address: token }, answers)
  return { ...value, ...read }
}

describe('the facts of a token', () => {
  test('are read in one batch, with the balance of an account if there is one', () => {
    expect(tokenQuestions(token, undefined)).toHaveLength(4)
    expect(tokenQuestions(token, owner)).toHaveLength(5)
    expect(facts()).toEqual({
      address: token,
      name: 'Demo Dollar',
      symbol: 'DUSD',
      isListed: false,
      doubts: [],
      decimals: 6,
      supply: '10000000000000',
      balance: '5',
      block: 9,
      evidence: { operators: 2, dissenting: 0, unreached: 0 },
      certificateId: 'a',
    })
  })

  test.each([
    ['Maker', 'Maker'],
    ['é', 'é'],
    ['', ''],
    ['a'.repeat(31), 'a'.repeat(31)],
    // Without the zero byte that ends it.
    ['a'.repeat(32), ''],
  ])('include a name in a bytes32, as in tokens of 2017: %s', (value, name) => {
    const old = agreed(pad(stringToHex(value), { size: 32, dir: 'right' }))
    expect(facts({ name: old, symbol: old })).toMatchObject({ name, symbol: name })
  })

  test.each([
    refused('refused'),
    agreed('0xff'),
    agreed(`0xff${'0'.repeat(62)}`),
    agreed(`0x${'g'.repeat(64)}`),
  ])('have no name when the contract has none or a malformed one: %j', (name) => {
    expect(facts({ name, symbol: name })).toMatchObject({ name: '', symbol: '' })
  })

  test('show at most 59 characters of a name, without invisible and direction characters', () => {
    const long = 'x'.repeat(60)
    expect(facts({ name: text(long) })).toMatchObject({ name: long.slice(0, 59) })
    expect(facts({ name: text(long.slice(0, 59)) })).toMatchObject({ name: long.slice(0, 59) })
    expect(facts({ symbol: text('\u202eCD\u0000SU\u200b') })).toMatchObject({ symbol: 'CDSU' })
  })

  test.each([
    ['an account has no code', [agreed('0x'), agreed('0x'), agreed('0x'), agreed('0x'), agreed('0x')]],
    ['a contract reverts', [refused('refused'), uint(1n), text('A'), text('A'), uint(1n)]],
    ['more decimals than a uint256 has digits', [uint(78n), uint(1n), text('A'), text('A'), uint(1n)]],
  ])('are refused when %s', (_, readings) => {
    expect(() => readToken({ chainId: 137, address: token }, readings)).toThrow('no agreed value: refused')
  })

  test('accept 77 decimals, and wait or give a reason without agreement', () => {
    expect(facts({ decimals: uint(77n) })).toMatchObject({ decimals: 77 })
    const read = (answers: readonly Reading[]) => () => readToken({ chainId, address: token }, answers)
    expect(read(Array(5).fill(refused('disagree')))).toThrow('no agreed value: disagree')
    expect(read(Array(5).fill({ state: 'waiting' }))).toThrow('no agreed value: waiting')
    expect(read([])).toThrow('no agreed value: waiting')
  })
})

describe('the events of an account', () => {
  const value = (amount: bigint) => encodeAbiParameters([{ type: 'uint256' }], [amount])
  const log = (eventName: 'Transfer' | 'Approval', args: object, amount: bigint, place: number) => ({
    topics: encodeEventTopics({ abi: erc20Abi, eventName, args } as never),
    data: value(amount),
    blockNumber: `0x${place.toString(16)}`,
    logIndex: '0x0',
    transactionHash: `0x${place.toString(16).padStart(64, '0')}`,
  })

  test('are asked for over a thousand blocks at most, what it did and what came to it', () => {
    const ranges = (head: number) =>
      eventQuestions(token, owner, head).map(({ params: [filter] }) => {
        const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
        return [Number(fromBlock), Number(toBlock)]
      })
    expect(ranges(5)).toEqual([
      [0, 5],
      [0, 5],
    ])
    expect(ranges(4000)[0]).toEqual([4000 - eventBlocksMax + 1, 4000])
  })

  test('are listed newest first, each once, by their kind for the account', () => {
    const toSelf = log('Transfer', { from: owner, to: owner }, 4n, 9)
    const events = readEvents(owner, [
      log('Transfer', { from: owner, to: party }, 1n, 7),
      log('Approval', { owner, spender: party }, maxUint256, 8),
      toSelf,
      log('Transfer', { from: party, to: owner }, 2n, 6),
      toSelf,
    ])
    expect(events.map((event) => [event.kind, event.value, event.block])).toEqual([
      ['sent', 4n, 9],
      ['approved', maxUint256, 8],
      ['sent', 1n, 7],
      ['received', 2n, 6],
    ])
  })

  test('are at most twenty, without malformed logs', () => {
    const many = Array.from({ length: eventsMax + 1 }, (_, at) =>
      log('Transfer', { from: owner, to: party }, 1n, at + 1),
    )
    const collectible = { ...log('Transfer', { from: owner, to: party }, 1n, 90), data: '0x' }
    const events = readEvents(owner, [...many, collectible, { topics: [] }])
    expect(events.map(({ block }) => block)).toEqual(
      Array.from({ length: eventsMax }, (_, at) => eventsMax + 1 - at),
    )
  })
})
