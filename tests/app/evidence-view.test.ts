import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { publicCertificate } from '#lib/certificate/public-certificate.ts'
import { createFigures } from '#lib/page/format.ts'
import { certify } from '#rpc-proxy/testing.ts'
import { EvidenceView, type EvidenceViewProps } from '../../app/_evidence/evidence-view.tsx'
import { evidence, group } from '../support/evidence.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const certificate = {
  ...publicCertificate(certify(evidence({})), null),
  block: { number: 12345, hash: null },
  signature: null,
}

function viewOf(change: Partial<EvidenceViewProps>): string {
  return renderToStaticMarkup(
    EvidenceView({
      certificate,
      call: 'none',
      chainName: 'Polygon',
      coin: { symbol: 'POL', decimals: 18 },
      figures: createFigures(),
      ...change,
    }),
  )
}

test('the evidence of a balance has the figure as its headline, and the call as a detail', () => {
  const call = {
    method: 'eth_getBalance',
    params: [address, '0x3039'],
    result: `0x${(561n * 10n ** 18n).toString(16)}`,
  }
  const view = viewOf({ call })
  expect(view).toMatch(/<h1[^>]*>561 POL<\/h1>/)
  expect(view.replaceAll(/<[^>]+>/g, '')).toContain('Balance of 0x70…79C8 on Polygon at block 12,345')
  expect(view.indexOf('eth_getBalance')).toBeGreaterThan(view.indexOf('</figure>'))
})

test('the evidence of a head has the block as its headline', () => {
  const view = viewOf({ certificate: { ...certificate, method: 'eth_blockNumber' } })
  expect(view).toMatch(/Latest block of Polygon<\/span><\/span><\/p><h1[^>]*>12,345<\/h1>/)
})

test('any other answer is headed by who agreed, and so is a balance that the link does not tell', () => {
  for (const call of ['none', 'wrong'] as const)
    expect(viewOf({ call, certificate: { ...certificate, method: 'eth_getBalance' } })).toMatch(
      /An answer about Polygon<\/p><h1 translate="no">(Agreed|Answered|Proven|\d)/,
    )
})

test('a lie of one operator is shown, and not what it said', () => {
  const lie = { ...group('"0x99"', 1), operators: ['c'], nodes: ['c'] }
  const disputed = certify(evidence({ dissenting: 1, groups: [group('"0x1"'), lie] }))
  const view = viewOf({ certificate: { ...publicCertificate(disputed, null), signature: null } })
  expect(view).toContain('1 operator disagreed')
  expect(view).toMatch(/<strong[^>]*>c<\/strong><span>disagrees</)
  expect(view).not.toContain('0x99')
})

test.each([
  ['joined', true],
  ['pending-quorum', true],
  ['highest-reached', false],
] as const)('under the rule %s, an operator with another vote disagreed: %s', (ruleId, isDissent) => {
  const other = { ...group('"0x2"', 1), operators: ['c'], nodes: ['c'] }
  const made = certify(evidence({ ruleId, groups: [group('"0x1"'), other] }))
  const view = viewOf({ certificate: { ...publicCertificate(made, null), signature: null } })
  expect(view.includes('1 operator disagreed')).toBe(isDissent)
})
