import { describe, expect, test } from 'vitest'
import { isToken, operatorBySession, operatorFrom } from '#lib/operator.ts'

const token = 'a-token-of-the-operator'
const settings = { OPERATOR_OPEN: false, OPERATOR_TOKEN: token }
const from = (headers: Record<string, string>) => operatorFrom((name) => headers[name] ?? null, settings)

describe('who is the operator', () => {
  test('nobody is, where no token is set: the routes are not there', () => {
    const none = { ...settings, OPERATOR_TOKEN: undefined }
    expect(operatorFrom(() => null, none)).toBe('hidden')
    expect(operatorFrom(() => 'Bearer undefined', none)).toBe('hidden')
  })

  test('everybody is, where it is open', () => {
    const open = { OPERATOR_OPEN: true, OPERATOR_TOKEN: undefined }
    expect(operatorFrom(() => null, open)).toBe('open')
    expect(operatorFrom(() => 'Bearer wrong', { ...open, OPERATOR_TOKEN: token })).toBe('open')
  })

  test('whoever bears the token is', () => {
    expect(from({ authorization: `Bearer ${token}` })).toBe('yes')
    expect(from({ authorization: `bearer ${token}` })).toBe('yes')
  })

  test.each([`Bearer ${token}x`, `Bearer ${token.slice(1)}`, 'Bearer null'])(
    '%j is a wrong token',
    (authorization) => {
      expect(from({ authorization })).toBe('wrong')
    },
  )

  test.each(['', 'Bearer', `Basic ${token}`, token])('%j is no token', (authorization) => {
    expect(from({ authorization })).toBe('no')
  })

  test('pages take a session and no token', () => {
    expect(operatorBySession('', settings)).toBe('no')
    expect(operatorBySession(`quorate-operator=${token}`, settings)).toBe('no')
  })

  test('tokens are compared whole', () => {
    expect(isToken(token, token)).toBe(true)
    expect(isToken('', token)).toBe(false)
    expect(isToken(token.toUpperCase(), token)).toBe(false)
  })
})
