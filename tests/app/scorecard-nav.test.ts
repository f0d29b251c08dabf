import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime.js'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ScorecardNav } from '../../app/status/_status/scorecard-nav.tsx'

test('the scorecard of a remote gateway offers no download of another one', () => {
  const scorecard = { last: '7d', sinceMs: 0, fromMs: 0 } as const
  const linksWhere = (props: { readonly downloads: boolean }) => {
    const view = createElement(ScorecardNav, { scorecard, ...props })
    const page = createElement(AppRouterContext, { value: {} as AppRouterInstance }, view)
    return [...renderToStaticMarkup(page).matchAll(/href="([^"?]*)/g)].map(([, path]) => path)
  }
  const ranges = Array.from({ length: 3 }, () => '/status/scorecard')
  expect(linksWhere({ downloads: false })).toEqual(ranges)
  expect(linksWhere({ downloads: true })).toEqual([...ranges, '/api/rpc/scorecard', '/api/rpc/scorecard'])
})
