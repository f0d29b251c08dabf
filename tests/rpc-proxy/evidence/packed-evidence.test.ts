import { describe, expect, test } from 'vitest'
import type { UpstreamRequestRecord } from '../../../rpc-proxy/events/evidence-types.ts'
import { PackedEvidence, requestCountOf } from '../../../rpc-proxy/evidence/packed-evidence.ts'
import { certify } from '../../../rpc-proxy/ledger/certificate.ts'
import { ask, evidence, group } from '../ledger/evidence.ts'

const raw = '"0x1"'

describe('the evidence of a kept answer', () => {
  test('is the same after it was packed', () => {
    const whole = evidence({
      requests: [
        ask('a'),
        { ...ask('b'), stalledMs: 1750, endMs: null, outcome: 'cancelled', group: null },
        { ...ask('c'), outcome: 'fault', detail: 'timeout', group: null },
      ],
      groups: [group(raw), { ...group('"0x2', 1), sha256: 'ab'.repeat(32) }],
      difference: [{ path: 'logs[0].data', values: ['0x1', null] }],
      confirmation: { id: 'answer-2', gas: '0x5208', groups: [group('succeeds'), group('out of gas', 1)] },
    })
    const kept = new PackedEvidence(whole, raw)
    expect(kept).toMatchObject(whole)
    expect(certify(kept)).toEqual(certify(whole))
  })

  test('does not repeat the answer, in whatever bytes the group said it', () => {
    const long = `"${'0'.repeat(1 << 20)}1"`
    for (const text of [long, ` ${long}`]) {
      const kept = new PackedEvidence(evidence({ groups: [group(text)] }), long)
      expect(kept.bytes).toBeLessThan(1000)
      expect(kept.groups[0]?.text).toBe(long)
    }
  })

  test('counts what was outvoted', () => {
    const outvoted = `"${'1'.repeat(4000)}"`
    const kept = new PackedEvidence(evidence({ groups: [group(raw), group(outvoted, 1)] }), raw)
    expect(kept.bytes).toBeGreaterThan(8000)
  })

  test('counts where the nodes differ', () => {
    const difference = [{ path: 'logs[0].data', values: ['a'.repeat(200), 'b'.repeat(200)] }]
    const kept = new PackedEvidence(evidence({ groups: [group(raw)], difference }), raw)
    expect(kept.bytes).toBeGreaterThan(800)
  })

  test('shows the beginning of what was outvoted, also where a surrogate pair stands at its end', () => {
    const long = `"${'0'.repeat(5000)}"`
    const beginning = { ...group(`${'x'.repeat(4095)}\u{1f600}`, 1), sha256: 'ab'.repeat(32) }
    const whole = evidence({ groups: [group(long), beginning] })
    expect(certify(new PackedEvidence(whole, long))).toEqual(certify(whole))
  })

  test('has times in hundredths of a millisecond', () => {
    const fine = evidence({ startMs: 1000.4, endMs: 1009.6, requests: [{ ...ask('a'), startMs: 1001.3333 }] })
    const { startMs, endMs, requests } = new PackedEvidence(fine, raw)
    expect([startMs, endMs]).toEqual([1000.4, 1009.6])
    expect(requests[0]?.startMs).toBeCloseTo(1001.33, 6)
  })

  test('shows what became of a node that had not replied when the answer was given', () => {
    const audited = {
      ...ask('c'),
      endMs: null,
      outcome: 'pending' as UpstreamRequestRecord['outcome'],
      group: null,
    }
    const kept = new PackedEvidence(evidence({ requests: [ask('a'), audited] }), raw)
    audited.outcome = 'result'
    expect(kept.requests.map(({ outcome }) => outcome)).toEqual(['result', 'result'])
    expect(requestCountOf(kept)).toBe(2)
  })

  test('knows how many nodes were asked', () => {
    const whole = evidence({ requests: [ask('a'), ask('b'), ask('c')] })
    expect([requestCountOf(whole), requestCountOf(new PackedEvidence(whole, raw))]).toEqual([3, 3])
  })
})
