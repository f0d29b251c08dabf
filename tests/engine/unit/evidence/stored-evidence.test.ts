import { describe, expect, test } from 'vitest'
import { bytesOf, storedEvidence } from '../../../../rpc-proxy/evidence/build.ts'
import { certify } from '../../../../rpc-proxy/ledger/certificate.ts'
import { evidence, group } from '../../../support/evidence.ts'

const raw = '"0x1"'

describe('the evidence of a cached answer', () => {
  test('does not repeat the answer, in whatever bytes the group said it', () => {
    const long = `"${'0'.repeat(1 << 20)}1"`
    for (const text of [long, ` ${long}`]) {
      const stored = storedEvidence(evidence({ groups: [group(text)] }), long)
      expect(bytesOf(stored, long)).toBeLessThan(1000)
      expect(stored.groups[0]?.text).toBe(long)
    }
  })

  test('counts where the nodes differ', () => {
    const difference = [{ path: 'logs[0].data', values: ['a'.repeat(200), 'b'.repeat(200)] }]
    const stored = storedEvidence(evidence({ groups: [group(raw)], difference }), raw)
    expect(bytesOf(stored, raw)).toBeGreaterThan(800)
  })

  test('shows the beginning of what was outvoted, also where a surrogate pair stands at its end', () => {
    const long = `"${'0'.repeat(5000)}"`
    const beginning = { ...group(`${'x'.repeat(4095)}\u{1f600}`, 1), sha256: 'ab'.repeat(32) }
    const whole = evidence({ groups: [group(long), beginning] })
    expect(certify(storedEvidence(whole, long))).toEqual(certify(whole))
  })
})
