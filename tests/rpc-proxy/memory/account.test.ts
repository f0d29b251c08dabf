import { describe, expect, test } from 'vitest'
import { certify } from '../../../rpc-proxy/ledger/certificate.ts'
import { Account } from '../../../rpc-proxy/memory/account.ts'
import { ask, camp, evidence } from '../ledger/evidence.ts'

const raw = '"0x1"'

describe('the evidence of a cached answer', () => {
  test('is unchanged after packing', () => {
    const whole = evidence({
      asks: [
        ask('a'),
        { ...ask('b'), stalledMs: 1750, endMs: null, outcome: 'pending', camp: null },
        { ...ask('c'), outcome: 'fault', detail: 'timeout', camp: null },
      ],
      camps: [camp(raw), { ...camp('"0x2', 1), sha256: 'ab'.repeat(32) }],
      difference: [{ path: 'logs[0].data', values: ['0x1', null] }],
      confirmation: { id: 'answer-2', gas: '0x5208', camps: [camp('succeeds'), camp('out of gas', 1)] },
    })
    const account = new Account(whole, raw)
    expect(account).toMatchObject(whole)
    expect(certify(account)).toEqual(certify(whole))
  })

  test('does not repeat the answer, in any form the camp sent it', () => {
    const long = `"${'0'.repeat(1 << 20)}1"`
    const spaced = ` ${long}`
    for (const said of [long, spaced]) {
      const account = new Account(evidence({ camps: [camp(said)] }), long)
      expect(account.chars).toBeLessThan(1000)
      expect(account.camps[0]?.said).toBe(long)
    }
  })

  test('has times in milliseconds', () => {
    const fine = evidence({ startMs: 1000.4, endMs: 1009.6, asks: [{ ...ask('a'), startMs: 1001.3 }] })
    const { startMs, endMs, asks } = new Account(fine, raw)
    expect([startMs, endMs, asks[0]?.startMs]).toEqual([1000, 1010, 1001])
  })
})
