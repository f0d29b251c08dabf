import { describe, expect, test } from 'vitest'
import { restIn, retryAfterMs } from '../../../../rpc-proxy/upstreams/errors/rates.ts'

const nowMs = Date.UTC(2026, 10, 22, 12)
const second = 1000
const minute = 60 * second
const hour = 60 * minute

describe('the waiting time in a message', () => {
  test.each([
    ['call rate limit exhausted, retry in 10s', 10 * second],
    ['call rate limit exhausted, retry in 10m0s', 10 * minute],
    ['retry in 1h2m3s', hour + 2 * minute + 3 * second],
    ['Public RPC Rate Limit Hit, limit will reset in 60 seconds', minute],
    ['too many requests, please try again in 5 minutes', 5 * minute],
    ['try again after 1.5s', 1.5 * second],
    ['please wait 2 hours, 30 minutes', 2.5 * hour],
    ['retry in 10', null],
    ['Please retry, trace-id: 5f2c', null],
    ['too many requests', null],
    ['daily request count exceeded', 12 * hour],
    ['Monthly capacity limit exceeded', 6 * hour],
    ['usage limit reached, resets in 3 hours', 3 * hour],
  ])('%s', (message, expected) => {
    expect(restIn({ code: 0, message, data: undefined }, nowMs)).toBe(expected)
  })

  test.each([
    [(nowMs + hour) / 1000, hour],
    [nowMs + hour, hour],
    [String((nowMs + hour) / 1000), hour],
    ['2026-11-22T13:00:00Z', hour],
    ['2026-11-22T11:00:00Z', 0],
    ['soon', null],
    [null, null],
    [{}, null],
    ['2'.repeat(1000), null],
  ])('data.resets_at %j', (resets_at, expected) => {
    expect(restIn({ code: 0, message: 'no', data: { resets_at } }, nowMs)).toBe(expected)
  })

  test('data is preferred to the message', () => {
    const data = { resets_at: '2026-11-22T13:00:00Z' }
    expect(restIn({ code: 0, message: 'daily limit, retry in 10s', data }, nowMs)).toBe(hour)
  })
})

test.each([
  [null, null],
  ['', null],
  ['5', 5000],
  [' 5 ', 5000],
  ['0', 0],
  ['0.5', 500],
  ['10s', 10_000],
  ['Sun, 22 Nov 2026 12:00:20 GMT', 20_000],
  ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
])('a Retry-After header of %j is %j', (header, expected) => {
  expect(retryAfterMs(header, nowMs)).toBe(expected)
})
