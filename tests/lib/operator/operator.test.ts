import { describe, expect, test } from 'vitest'
import { isToken, operatorBySession, operatorFrom } from '#lib/operator/operator.ts'

const token = 'a-token-of-the-operator'
const settings = { OPERATOR_OPEN: false, OPERATOR_TOKEN: token }
const from = (headers: Record<string, string>) => operatorFrom((name) => headers[name] ?? null, settings)

describe('the operator', () => {
  test('is everyone where access is open, whatever they send', () => {
    const open = { OPERATOR_OPEN: true, OPERATOR_TOKEN: token }
    expect(operatorFrom(() => 'Bearer wrong', open)).toBe('open')
  })

  // Without a token: login.test.ts.
  test.each([
    [`Bearer ${token}`, 'yes'],
    [`bearer ${token}`, 'yes'],
    ['Bearer wrong', 'wrong'],
    ...['', 'Bearer', `Basic ${token}`, token].map((other) => [other, 'no']),
  ])('the word of %j is %s', (authorization = '', verdict) => {
    expect(from({ authorization })).toBe(verdict)
  })

  test.each(['', `quorate-operator=${token}`])('pages accept a session but no token: %j', (cookies) => {
    expect(operatorBySession(cookies, settings)).toBe('no')
  })

  test('tokens are compared in full', () => {
    const given = [token, '', token.toUpperCase()]
    expect(given.map((other) => isToken(other, token))).toEqual([true, false, false])
  })
})
