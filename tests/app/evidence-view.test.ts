import { renderToStaticMarkup } from 'react-dom/server'
import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { publicCertificate } from '#lib/certificate/public-certificate.ts'
import { createFigures } from '#lib/page/format.ts'
import type { Evidence } from '#rpc-proxy'
import { certify } from '#rpc-proxy/testing.ts'
import { EvidenceView, type EvidenceViewProps } from '../../app/_evidence/evidence-view.tsx'
import { evidence, group } from '../support/evidence.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** The view of a certificate of this evidence, and of its call where a link tells it. */
function viewOf(fields: Partial<Evidence>, call: EvidenceViewProps['call'] = 'none'): string {
  const certificate = { ...publicCertificate(certify(evidence(fields)), null), signature: null }
  const chain = { chainName: 'Polygon', coin: { symbol: 'POL', decimals: 18 } }
  return renderToStaticMarkup(EvidenceView({ certificate, call, ...chain, figures: createFigures() }))
}
const block = { number: 12345, hash: null }

test('the evidence of a balance has the figure as its headline, and the call as a detail', () => {
  const result = numberToHex(561n * 10n ** 18n)
  const view = viewOf({ block }, { method: 'eth_getBalance', params: [address, '0x3039'], result })
  expect(view).toMatch(/<h1[^>]*>561 POL<\/h1>/)
  expect(view.replaceAll(/<[^>]+>/g, '')).toContain('Balance of 0x70…79C8 on Polygon at block 12,345')
  expect(view.indexOf('eth_getBalance')).toBeGreaterThan(view.indexOf('</figure>'))
})

test('the evidence of a head has the block as its headline', () => {
  const view = viewOf({ block, method: 'eth_blockNumber' })
  expect(view).toMatch(/Latest block of Polygon<\/span><\/span><\/p><h1[^>]*>12,345<\/h1>/)
})

test.each(['none', 'wrong'] as const)('a balance whose link is %s is headed by who agreed', (call) => {
  const headline = /An answer about Polygon<\/p><h1 translate="no">(Agreed|Answered|Proven|\d)/
  expect(viewOf({ block, method: 'eth_getBalance' }, call)).toMatch(headline)
})

const lie = { ...group('"0x99"', 1), operators: ['c'], nodes: ['c'] }

test('a lie of one operator is shown, and not what it said', () => {
  const view = viewOf({ dissenting: 1, groups: [group('"0x1"'), lie] })
  expect(view).toContain('1 operator disagreed')
  expect(view).toMatch(/<strong[^>]*>c<\/strong><span>disagrees</)
  expect(view).not.toContain('0x99')
})

test.each([
  ['joined', true],
  ['pending-quorum', true],
  ['highest-reached', false],
] as const)('under the rule %s, an operator with another vote disagreed: %s', (ruleId, isDissent) => {
  const view = viewOf({ ruleId, groups: [group('"0x1"'), lie] })
  expect(view.includes('1 operator disagreed')).toBe(isDissent)
})
