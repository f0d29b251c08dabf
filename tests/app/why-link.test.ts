import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type Site, SiteContext } from '#wallet/wallet.ts'
import { WhyLink } from '../../app/_ui/why-link.tsx'

function linkOn(site: Pick<Site, 'hasEvidence'>): string {
  const link = createElement(WhyLink, { certificateId: 'a-1', of: 'Balance' })
  return renderToStaticMarkup(createElement(SiteContext, { value: site as Site }, link))
}

test('a figure links to its certificate only if certificates are public', () => {
  expect(linkOn({ hasEvidence: true })).toContain('href="/answers/a-1"')
  expect(linkOn({ hasEvidence: false })).toBe('')
})
