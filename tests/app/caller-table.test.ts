import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { usageOf } from '#lib/engine/caller-usage.ts'
import { createFigures, numberMarks } from '#lib/page/format.ts'
import { hashOf, parseConfig } from '#rpc-proxy'
import { CallerTable } from '../../app/status/_status/caller-table.tsx'
import { says } from '../support/replies.ts'
import { worldOf } from '../support/world.ts'

const longestMonthMs = 31 * 86_400_000

test('in a new month a caller has used nothing of it, whatever it did in the month before', async () => {
  const { gateway, clock } = worldOf([says('0x1')])
  const callers = [{ name: 'web', keyHash: hashOf('a-key-of-twenty-four-chars'), perMonth: 1000 }]
  const chains = [{ id: 1, nodes: [{ name: 'any', url: 'https://any.example' }] }]
  gateway.keyed.reload(parseConfig({ chains, callers }, {}).callers)
  const cells = () => {
    const usage = usageOf(gateway, 'month')
    const view = createElement(CallerTable, { usage, figures: createFigures(numberMarks('en')) })
    return [...renderToStaticMarkup(view).matchAll(/<td[^>]*>([^<]*)</g)].map(([, text]) => text)
  }
  gateway.usage.spend('web', 5)
  gateway.usage.count('web', { method: 'eth_call', units: 5, isHit: false, isError: true })
  expect(cells()).toEqual(['5', '1,000', '1', '0', '1'])
  await clock.advance(longestMonthMs)
  expect(cells()).toEqual(['0', '1,000', '0', '0', '0'])
})
