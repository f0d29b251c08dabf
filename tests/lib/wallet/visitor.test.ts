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

  test.each(wallets.map((id) => [id]))('accepts the listed wallet %s', (connectorId) => {
    expect(read({ ...good, connectorId })?.connectorId).toBe(connectorId)
  })

  test('an unsupported chain is kept, to show a wrong network', () => {
    expect(read({ ...good, chainId: 56 })?.chainId).toBe(56)
  })

  test.each([
    ['no value', undefined],
    ['an empty value', ''],
    ['no JSON', '{'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a lone percent sign', '%'],
    ['half an escape', '%7B%22'],
  ])('%s gives no visitor', (_, value) => {
    expect(readVisitor(value)).toBeNull()
  })

  test('of as many bytes as it may have is read, of one more it is not', () => {
    const longest = JSON.stringify(good).padEnd(cookieBytesMax)
    expect(readVisitor(longest)?.address).toBe(address)
    expect(readVisitor(`${longest} `)).toBeNull()
  })

  test.each([
    ['another version', { v: 2 }],
    ['no version', { v: undefined }],
    ['an address without its checksum', { address: address.toLowerCase() }],
    ['an address with a wrong checksum', { address: address.replace('f39F', 'F39f') }],
    ['a short address', { address: '0x1234' }],
    ['markup for an address', { address: '<script>' }],
    ['a list of addresses', { address: [address] }],
    ['chain 0', { chainId: 0 }],
    ['a negative chain', { chainId: -137 }],
    ['a fractional chain', { chainId: 1.5 }],
    ['a chain as text', { chainId: '137' }],
    ['a chain above the safe integers', { chainId: 2 ** 53 }],
    ['a wallet that is neither listed nor an rdns', { connectorId: 'constructor' }],
    ['an rdns with markup', { connectorId: 'io.<b>' }],
    ['an rdns in upper case', { connectorId: 'IO.METAMASK' }],
    ['a name with a space', { name: 'a b.eth' }],
    ['a name with a direction character', { name: 'abc\u202e.eth' }],
    ['a name without a dot', { name: 'eth' }],
    ['a name with markup in it', { name: '<script>x.eth' }],
    ['a name with an entity in it', { name: 'a&lt;b.eth' }],
    ['a name with a quote in it', { name: 'a"onclick=x.eth' }],
    ['a name with an empty part', { name: 'a..eth' }],
    ['a name read before time began', { nameReadMs: -1 }],
    ['an extra field', { status: 'connected' }],
  ])('%s gives no visitor', (_, change) => {
    expect(read({ ...good, ...change })).toBeNull()
  })

  test('ten thousand hostile ones neither throw nor yield extra fields', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ ...good, ...Object(value) })),
        ),
        (value) => {
          const names = ['address', 'chainId', 'connectorId', 'name', 'nameReadMs']
          expect(names).toEqual(expect.arrayContaining(Object.keys(readVisitor(value) ?? {})))
        },
      ),
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
