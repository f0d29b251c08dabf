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
  const counted = () => {
    const own = counts.series().filter(({ labels }) => labels.directive !== undefined)
    return Object.fromEntries(own.map(({ labels, value }) => [labels.directive, value]))
  }
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

  const none = ['', '{', '[]', 'null', '{"csp-report":null}', '[{"body":[]}]']
  test.each([...none, '{"__proto__":{"csp-report":1}}'])('%j is ignored', async (text) => {
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

  test.each([
    ['too-large', 413],
    ['too-slow', 400],
  ] as const)('that are %s are refused', async (fault, status) => {
    const request = hostRequest({ method: 'POST', body: async () => ({ fault }) })
    expect((await reports().take(request)).status).toBe(status)
  })
})
