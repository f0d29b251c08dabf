import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import type { Evidence } from '#rpc-proxy'
import { certify } from '#rpc-proxy/testing.ts'
import { CertificateView } from '../../app/_operator/certificate-view.tsx'
import { evidence } from '../support/evidence.ts'

function viewOf(fields: Partial<Evidence>): string {
  const certificate = certify(evidence(fields))
  return renderToStaticMarkup(CertificateView({ ...certificate, traceId: null, figures: createFigures() }))
}

const most = 'more than half of all nodes had to agree, by weight'

describe('a certificate', () => {
  test.each([
    ['everyday', 'Every usual node could be asked, so enough of those had to agree.'],
    ['tightened', `A usual node did not answer or was outvoted, so ${most}.`],
    ['protected', `It was asked for a transaction, so ${most}, and at least 3 operators.`],
  ] as const)('says what its %s policy means', (policy, text) => {
    const view = viewOf({ policy, operatorsMin: 3 })
    expect(view).toContain(text)
    expect(view).not.toContain('Thin')
  })

  test('warns where it is thin', () => {
    const warning = 'Only the usual nodes agree: too few others could be reached.'
    expect(viewOf({ policy: 'tightened', isThin: true })).toContain(warning)
  })

  test.each([
    ['thin', 'too few nodes could be reached for a protected result'],
    ['disagree', 'no agreement'],
    ['heads', 'no agreed head'],
    ['silent', 'too few replies'],
    ['pruned', 'too few replies'],
  ] as const)('of a call that failed as %s says so', (reason, text) => {
    expect(viewOf({ outcome: 'failed', reason, policy: 'protected' })).toContain(`<dd>${text}</dd>`)
  })
})
