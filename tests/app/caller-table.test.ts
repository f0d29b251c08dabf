import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { usageOf } from '#lib/engine/caller-usage.ts'
import { createFigures, numberMarks } from '#lib/page/format.ts'
import { CallerTable } from '../../app/status/_status/caller-table.tsx'
import { KeyedCallers } from '../../rpc-proxy/admission/keyed-callers.ts'
import { Usage } from '../../rpc-proxy/admission/usage.ts'
import { hashOf, parseConfig } from '../../rpc-proxy/config/parse-config.ts'

test('on the first of a month a caller has used nothing of it, whatever it did in the month before', () => {
  const time = { ms: Date.UTC(2026, 10, 30) }
  const usage = new Usage({ now: () => time.ms })
  const callers = [{ name: 'web', keyHash: hashOf('a-key-of-twenty-four-chars'), perMonth: 1000 }]
  const chains = [{ id: 1, nodes: [{ name: 'any', url: 'https://any.example' }] }]
  const keyed = new KeyedCallers(parseConfig({ chains, callers }, {}).callers)
  const cells = () => {
    const figures = createFigures(numberMarks('en'))
    const html = renderToStaticMarkup(
      createElement(CallerTable, { usage: usageOf({ keyed, usage }, 'month'), figures }),
    )
    return [...html.matchAll(/<td[^>]*>([^<]*)</g)].map(([, text]) => text)
  }
  usage.spend('web', 5)
  usage.count('web', { method: 'eth_call', units: 5, isHit: false, isError: true })
  expect(cells()).toEqual(['5', '1,000', '1', '0', '1'])
  time.ms = Date.UTC(2026, 11, 1)
  expect(cells()).toEqual(['0', '1,000', '0', '0', '0'])
})
