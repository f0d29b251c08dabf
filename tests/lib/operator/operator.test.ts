import { describe, expect, test } from 'vitest'
import { isToken, operatorBySession, operatorFrom } from '#lib/operator/operator.ts'

const token = 'a-token-of-the-operator'
const settings = { OPERATOR_OPEN: false, OPERATOR_TOKEN: token }
const from = (headers: Record<string, string>) => operatorFrom((name) => headers[name] ?? null, settings)

describe('the operator', () => {
  test('does not exist without a token: the routes are 404', () => {
    const none = { ...settings, OPERATOR_TOKEN: undefined }
    expect(operatorFrom(() => null, none)).toBe('hidden')
    expect(operatorFrom(() => 'Bearer undefined', none)).toBe('hidden')
  })

  test('is everyone when access is open', () => {
    const open = { OPERATOR_OPEN: true, OPERATOR_TOKEN: undefined }
    expect(operatorFrom(() => null, open)).toBe('open')
    expect(operatorFrom(() => 'Bearer wrong', { ...open, OPERATOR_TOKEN: token })).toBe('open')
  })

  test('is the caller with the token', () => {
    expect(from({ authorization: `Bearer ${token}` })).toBe('yes')
    expect(from({ authorization: `bearer ${token}` })).toBe('yes')
  })

  test.each(['', 'Bearer', `Basic ${token}`, token])('%j is not a token', (authorization) => {
    expect(from({ authorization })).toBe('no')
  })

  test('pages accept a session but no token', () => {
    expect(operatorBySession('', settings)).toBe('no')
    expect(operatorBySession(`quorate-operator=${token}`, settings)).toBe('no')
  })

  test('tokens are compared in full', () => {
    expect(isToken(token, token)).toBe(true)
    expect(isToken('', token)).toBe(false)
    expect(isToken(token.toUpperCase(), token)).toBe(false)
  })
})
