import { describe, expect, test } from 'vitest'
import { createHostCounts } from '#lib/observe/host-counts.ts'
import { createCspReports } from '#lib/routes/csp-reports.ts'
import { hostRequest } from '../../support/host-request.ts'

const minuteMs = 60_000
const legacy = (directive: unknown) => JSON.stringify({ 'csp-report': { 'effective-directive': directive } })
const modern = (...directives: unknown[]) =>
  JSON.stringify(
    directives.map((effectiveDirective) => ({ type: 'csp-violation', body: { effectiveDirective } })),
  )

function reports(now: () => number = () => 0) {
  const counts = createHostCounts()
  const take = createCspReports(counts, now)
  const post = (text: string) => take(hostRequest({ method: 'POST', text }))
  const counted = () =>
    Object.fromEntries(
      counts
        .series()
        .flatMap(({ labels: { directive }, value }) => (directive === undefined ? [] : [[directive, value]])),
    )
  return { take, post, counted }
}

describe('reports of refused content', () => {
  test('are counted by directive, in both report formats', async () => {
    const { post, counted } = reports()
    expect((await post(legacy('script-src-elem'))).status).toBe(204)
    expect((await post(modern('script-src-elem', 'frame-ancestors'))).status).toBe(204)
    expect(counted()).toEqual({ 'script-src-elem': 2, 'frame-ancestors': 1 })
  })

  test('cannot inject a label into the metric', async () => {
    const { post, counted } = reports()
    await post(modern('evil"} 1\n', '__proto__', 7))
    expect(counted()).toEqual({ other: 2 })
  })

  test.each([
    '',
    '{',
    '[]',
    'null',
    '{"csp-report":null}',
    '[{"body":[]}]',
    '{"__proto__":{"csp-report":1}}',
  ])('%j is ignored', async (text) => {
    const { post, counted } = reports()
    expect((await post(text)).status).toBe(204)
    expect(counted()).toEqual({})
  })

  test('are limited to a hundred per body', async () => {
    const { post, counted } = reports()
    await post(modern(...Array.from({ length: 101 }, () => 'img-src')))
    expect(counted()).toEqual({ 'img-src': 100 })
  })

  test('are limited to 600 a minute, then 429', async () => {
    let nowMs = 0
    const { post, counted } = reports(() => nowMs)
    for (let sent = 0; sent < 600; sent += 1) expect((await post(legacy('img-src'))).status).toBe(204)
    expect(await post(legacy('img-src'))).toMatchObject({ status: 429, headers: { 'retry-after': '60' } })
    nowMs = minuteMs
    expect((await post(legacy('img-src'))).status).toBe(204)
    expect(counted()).toEqual({ 'img-src': 601 })
  })

  test('are read ten at a time, so slow ones hold no more', async () => {
    const { take } = reports()
    const ends: ((body: { text: string }) => void)[] = []
    const slow = hostRequest({ method: 'POST', body: () => new Promise((resolve) => ends.push(resolve)) })
    const held = Array.from({ length: 10 }, () => take(slow))
    expect((await take(slow)).status).toBe(429)
    for (const end of ends) end({ text: legacy('img-src') })
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array(10).fill(204))
    expect((await take(hostRequest({ method: 'POST', text: '{}' }))).status).toBe(204)
  })

  test('that are too large or too slow are refused', async () => {
    const { take } = reports()
    const failing = (fault: 'too-large' | 'too-slow') =>
      take(hostRequest({ method: 'POST', body: async () => ({ fault }) }))
    expect((await failing('too-large')).status).toBe(413)
    expect((await failing('too-slow')).status).toBe(400)
  })
})
