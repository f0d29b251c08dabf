import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readVisitor } from '#lib/wallet/read-visitor.ts'
import { cookieBytesMax, encodeVisitor, rememberVisitor, renewedVisitor } from '#lib/wallet/visitor.ts'
import { wallets } from '#site'
import { own as address } from './accounts.ts'

const good = { v: 1, address, chainId: 137, connectorId: 'io.metamask' }
const read = (value: object) => readVisitor(JSON.stringify(value))

describe('the visitor cookie', () => {
  test('round-trips', () => {
    const name = { name: 'vitalik.eth', nameReadMs: 1.8e12 }
    const visitor = { address, chainId: 42161, connectorId: 'walletConnect', ...name } as const
    expect(readVisitor(decodeURIComponent(encodeVisitor(visitor)))).toEqual(visitor)
    expect(readVisitor(encodeVisitor(visitor))).toEqual(visitor)
  })

  test('stays within its size limit with the longest values', () => {
    const connectorId = `${'a'.repeat(40)}.${'b'.repeat(40)}.example`
    const written = encodeVisitor({ address, chainId: 2 ** 40, connectorId, name: `${'n'.repeat(60)}.eth` })
    expect(written.length).toBeLessThanOrEqual(cookieBytesMax)
    expect(readVisitor(written)?.connectorId).toBe(connectorId)
  })

  test.each(wallets)('accepts the listed wallet %s', (connectorId) => {
    expect(read({ ...good, connectorId })?.connectorId).toBe(connectorId)
  })

  test('an unsupported chain is kept, to show a wrong network', () => {
    expect(read({ ...good, chainId: 56 })?.chainId).toBe(56)
  })

  test.each([undefined, '', '{', '[]', 'null', '%', '%7B%22'])('%j gives no visitor', (value) => {
    expect(readVisitor(value)).toBeNull()
  })

  test('of as many bytes as it may have is read, of one more it is not', () => {
    const longest = JSON.stringify(good).padEnd(cookieBytesMax)
    expect(readVisitor(longest)?.address).toBe(address)
    expect(readVisitor(`${longest} `)).toBeNull()
  })

  const wrongChecksum = address.replace('f39F', 'F39f')

  test.each<[string, readonly unknown[]]>([
    ['v', [2, undefined]],
    ['address', [address.toLowerCase(), wrongChecksum, '0x1234', '<script>', [address]]],
    ['chainId', [0, -137, 1.5, '137', 2 ** 53]],
    ['connectorId', ['constructor', 'io.<b>', 'IO.METAMASK']],
    ['name', ['a b.eth', 'abc\u202e.eth', 'eth', '<script>x.eth', 'a&lt;b.eth', 'a"onclick=x.eth', 'a..eth']],
    ['nameReadMs', [-1]],
    ['status', ['connected']],
  ])('gives no visitor with a `%s` of %j', (field, values) => {
    for (const value of values) expect(read({ ...good, [field]: value }), String(value)).toBeNull()
  })

  test('ten thousand hostile ones neither throw nor yield extra fields', () => {
    const changed = fc.jsonValue().map((value) => JSON.stringify({ ...good, ...Object(value) }))
    const names = ['address', 'chainId', 'connectorId', 'name', 'nameReadMs']
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), changed), (value) => {
        expect(names).toEqual(expect.arrayContaining(Object.keys(readVisitor(value) ?? {})))
      }),
      { numRuns: 10_000 },
    )
  })
})

test('the server extends it by thirty days, and scripts can delete it', () => {
  const visitor = { address, chainId: 137, connectorId: 'metaMask' } as const
  const value = encodeVisitor(visitor)
  const attributes = 'Path=/; Max-Age=2592000; SameSite=Lax'
  expect(renewedVisitor(visitor, false)).toBe(`quorate-wallet=${value}; ${attributes}`)
  expect(renewedVisitor(visitor, true)).toBe(`quorate-wallet=${value}; ${attributes}; Secure`)
})

test('a browser remembers only what the server accepts', () => {
  const page = { cookie: '' }
  vi.stubGlobal('document', page)
  vi.stubGlobal('location', { protocol: 'https:' })
  const visitor = { address, chainId: 137, connectorId: 'io.metamask' } as const
  const written = (change: object) => {
    page.cookie = ''
    rememberVisitor({ ...visitor, ...change })
    return page.cookie
  }
  expect(written({})).toBe(renewedVisitor(visitor, true))
  for (const chainId of [null, undefined, 0, -1, 1.5, 1.2e24, Number.NaN, '137', {}, 2 ** 53])
    expect(written({ chainId }), String(chainId)).toBe('')
  const ican = 'cb7147879011ea207df5b35a24ca6f0859dcfb145999'
  for (const wrong of [null, undefined, '', '0x', ican, 7, [address]])
    expect(written({ address: wrong }), String(wrong)).toBe('')
})
