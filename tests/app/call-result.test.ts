import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { ConsoleReply } from '#lib/console/send-call.ts'
import { createFigures } from '#lib/page/format.ts'
import { consoleTexts } from '#lib/page/texts/console.ts'
import { Outcome } from '../../app/console/_console/call-result.tsx'

const nothing: ConsoleReply = { status: null, tookMs: 1, reply: undefined, answer: null, certificate: null }
const rendered = (sent: ConsoleReply | null) =>
  renderToStaticMarkup(Outcome({ sent, figures: createFigures() }))
const viewOf = (fields: Partial<ConsoleReply>) => rendered({ ...nothing, ...fields })

test('an unreachable gateway is not shown as having answered without nodes', () => {
  expect(viewOf({})).toContain(consoleTexts.unreachable)
  expect(viewOf({})).not.toContain(consoleTexts.noCertificate)
})

test('an answer of the gateway itself says that no node was asked', () => {
  const reply = { jsonrpc: '2.0', id: 1, result: '0x89' } as const
  expect(viewOf({ status: 200, reply })).toContain(consoleTexts.noCertificate)
})

test('screen readers announce only the status of an answer, in an element that existed before it', () => {
  const spoken = (view: string) => /<p role="status"[^>]*>([^<]*)</.exec(view)?.[1]
  expect(spoken(rendered(null))).toBe(consoleTexts.nothingYet)
  const view = viewOf({ status: 200, reply: { result: 'x'.repeat(60_000) } })
  expect(spoken(view)).toContain('200')
  expect(view).not.toContain('aria-live')
})
