import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { createFigures } from '#lib/page/format.ts'
import { plainText } from '#lib/page/plain-text.ts'
import { sentence } from '#lib/page/sentence.ts'
import type { Change } from '#lib/wallet/changes.ts'
import { CallChanges } from '../../app/_send/call-parts.tsx'
import { Worded } from '../../app/_ui/worded.tsx'

vi.mock('../../app/_wallet/wallet.ts', () => ({ useWallet: () => ({ figures: createFigures() }) }))

const figure = (text: string) => `<span translate="no">${text}</span>`

test('a sentence has its words as they are, and its figures where the browser does not translate them', () => {
  const text = sentence`${'5 POL'}, now ${'5 POL'}`
  const html = renderToStaticMarkup(createElement(Worded, { text }))
  expect(html).toBe(`<span>${figure('5 POL')}<span>, now </span>${figure('5 POL')}</span>`)
  expect(plainText(text)).toBe('5 POL, now 5 POL')
})

test('a translation keeps the amounts of what a call changes', () => {
  const label = { symbol: 'APE', decimals: 0 }
  const change = { kind: 'balance', token: '0x01', before: 1000n, after: 995n, label }
  const coin = { kind: 'coin', before: 9n, after: 8n, label: null }
  const changes = [change, coin] as unknown as readonly Change[]
  const chain = { currency: { symbol: 'POL', decimals: 0 } } as Parameters<typeof CallChanges>[0]['chain']
  const html = renderToStaticMarkup(createElement(CallChanges, { changes, fee: null, chain }))
  for (const text of ['995 APE', '1,000 APE', '8 POL']) expect(html).toContain(figure(text))
})
