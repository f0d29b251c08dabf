import {
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  maxUint256,
  numberToHex,
  pad,
  stringToHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { Reading } from '#lib/page/reading.ts'
import { readToken, tokenQuestions } from '#lib/token/erc20.ts'
import { eventBlocksMax, eventQuestions, eventsMax, readEvents } from '#lib/token/erc20-events.ts'
import { localTokens } from '#site'
import { agreed, refused } from '../../support/readings.ts'

const [{ address: token, chainId }] = localTokens
const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const party = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

const uint = (value: bigint) => agreed(numberToHex(value, { size: 32 }))
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

  const malformed = [agreed('0xff'), agreed(`0xff${'0'.repeat(62)}`), agreed(`0x${'g'.repeat(64)}`)]
  test.each([refused('refused'), ...malformed])('have no name when the contract has none: %j', (name) => {
    expect(facts({ name, symbol: name })).toMatchObject({ name: '', symbol: '' })
  })

  test.each([60, 59])('show at most 59 characters of a name of %i', (characters) => {
    expect(facts({ name: text('x'.repeat(characters)) })).toMatchObject({ name: 'x'.repeat(59) })
  })

  test('have no invisible and direction characters', () => {
    expect(facts({ symbol: text('\u202eCD\u0000SU\u200b') })).toMatchObject({ symbol: 'CDSU' })
  })

  const waiting = { state: 'waiting' } as const
  test.each<[string, Reading[], string]>([
    ['an account has no code', Array(5).fill(agreed('0x')), 'refused'],
    ['a contract reverts', [refused('refused'), uint(1n), text('A'), text('A'), uint(1n)], 'refused'],
    ['decimals are more than a uint256 has digits', [uint(78n), ...Array(4).fill(uint(1n))], 'refused'],
    ['nodes disagree', Array(5).fill(refused('disagree')), 'disagree'],
    ['replies are waited for', Array(5).fill(waiting), 'waiting'],
    ['nothing was asked', [], 'waiting'],
  ])('are not there when %s, and say so', (_, readings, why) => {
    expect(() => readToken({ chainId, address: token }, readings)).toThrow(`no agreed value: ${why}`)
  })

  test('accept 77 decimals', () => {
    expect(facts({ decimals: uint(77n) })).toMatchObject({ decimals: 77 })
  })
})

describe('the events of an account', () => {
  const log = (eventName: 'Transfer' | 'Approval', args: object, amount: bigint, place: number) => ({
    topics: encodeEventTopics({ abi: erc20Abi, eventName, args } as never),
    data: numberToHex(amount, { size: 32 }),
    blockNumber: numberToHex(place),
    logIndex: '0x0',
    transactionHash: numberToHex(place, { size: 32 }),
  })
  const transfer = (from: string, to: string, amount: bigint, place: number) =>
    log('Transfer', { from, to }, amount, place)

  test('are asked for over a thousand blocks at most, what it did and what came to it', () => {
    const range = (fromBlock: number, toBlock: number) => ({
      params: [{ fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }],
    })
    expect(eventQuestions(token, owner, 5)).toMatchObject([range(0, 5), range(0, 5)])
    expect(eventQuestions(token, owner, 4000)[0]).toMatchObject(range(4000 - eventBlocksMax + 1, 4000))
  })

  test('are listed newest first, each once, by their kind for the account', () => {
    const toSelf = transfer(owner, owner, 4n, 9)
    const events = readEvents(owner, [
      transfer(owner, party, 1n, 7),
      log('Approval', { owner, spender: party }, maxUint256, 8),
      toSelf,
      transfer(party, owner, 2n, 6),
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
    const places = Array.from({ length: eventsMax + 1 }, (_, at) => at + 1)
    const many = places.map((place) => transfer(owner, party, 1n, place))
    const collectible = { ...transfer(owner, party, 1n, 90), data: '0x' }
    const events = readEvents(owner, [...many, collectible, { topics: [] }])
    expect(events.map(({ block }) => block)).toEqual(places.slice(1).toReversed())
  })
})
