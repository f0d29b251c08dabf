import fc from 'fast-check'
import { bytesToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { LogFilter } from '../../../../rpc-proxy/methods/log-filter.ts'
import { bloomMayContain } from '../../../../rpc-proxy/methods/log-filter.ts'
import { chain, type Json } from '../../../support/canonical-chain.ts'
import { bloomOf } from '../../sim/universe.ts'

const receipt = chain.receipts[1] as Json
const bloom = receipt.logsBloom as string
const [log] = receipt.logs as [{ address: string; topics: readonly [string] }]
const stranger = `0x${'77'.repeat(20)}`
const strange = `0x${'77'.repeat(32)}`
const empty = `0x${'0'.repeat(512)}`
const full = `0x${'f'.repeat(512)}`
const may = (filter: LogFilter, of = bloom) => bloomMayContain(of, filter)

describe('a bloom', () => {
  test('of a real receipt contains its log and no other', () => {
    expect(may({ address: log.address, topics: [log.topics[0]] })).toBe(true)
    expect(may({})).toBe(true)
    expect(may({ topics: [null] })).toBe(true)
    expect(may({ address: stranger })).toBe(false)
    expect(may({ address: log.address, topics: [strange] })).toBe(false)
  })

  test('needs one alternative at every topic position', () => {
    expect(may({ address: [stranger, log.address] })).toBe(true)
    expect(may({ address: [stranger, `0x${'78'.repeat(20)}`] })).toBe(false)
    expect(may({ topics: [[strange, log.topics[0]]] })).toBe(true)
    expect(may({ topics: [log.topics[0], strange] })).toBe(false)
  })

  test('that is empty contains nothing, that is full contains everything, and that is malformed allows everything', () => {
    expect(may({ address: log.address }, empty)).toBe(false)
    expect(may({ address: stranger, topics: [strange] }, full)).toBe(true)
    for (const broken of ['', '0x', '0x00', `${empty}0`, empty.replace('x', 'y')])
      expect(may({ address: stranger }, broken)).toBe(true)
  })

  test('has no false negatives', () => {
    const topic = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes))
    const account = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => bytesToHex(bytes))
    fc.assert(
      fc.property(fc.array(topic, { minLength: 1, maxLength: 4 }), account, (topics, address) => {
        const made = bloomOf([address, ...topics])
        expect(made).toMatch(/^0x[0-9a-f]{512}$/)
        expect(may({ address, topics }, made)).toBe(true)
        expect(may({ address }, bloomOf(topics))).toBe(bloomOf([address, ...topics]) === bloomOf(topics))
      }),
      { numRuns: 100 },
    )
  })

  test('works for several blooms with one filter, whose bits are computed once', () => {
    const filter: LogFilter = { address: log.address }
    expect([may(filter), may(filter, empty), may(filter, full), may(filter)]).toEqual([
      true,
      false,
      true,
      true,
    ])
  })
})
