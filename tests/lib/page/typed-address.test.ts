import { describe, expect, test } from 'vitest'
import { writePaymentRequest } from '#lib/page/payment-request.ts'
import { addressTexts } from '#lib/page/texts/address.ts'
import { isOtherForm, nameIn, onNetworks, readTyped } from '#lib/page/typed-address.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const mistyped = address.replace('f39F', 'f39f')

describe('a typed address', () => {
  test.each([undefined, '', '   '])('%j is empty input', (text) => {
    expect(readTyped(text)).toEqual({ kind: 'nothing' })
  })

  test.each([
    ['as it is written', address],
    ['in small letters', address.toLowerCase()],
    ['in large letters', `0x${address.slice(2).toUpperCase()}`],
    ['between spaces', ` ${address} `],
    ['as the first of several', [address, 'other']],
    ['with a large X', `0X${address.slice(2)}`],
    [
      'with zero-width and direction characters',
      `\u200b\u202a${address.slice(0, 20)}\u200d${address.slice(20)}\u202c\ufeff`,
    ],
    ['broken over lines', `${address.slice(0, 22)}\n ${address.slice(22)}`],
    ['with spaces that are no spaces', `\u00a0${address}\u3000`],
    ['in quotes', `\u201c${address}\u201d`],
    ['in brackets, with a full stop', `<${address}>.`],
    ['in an explorer’s link', `https://polygonscan.com/address/${address}`],
    ['in a link with a fragment, without its scheme', `etherscan.io/address/${address.toLowerCase()}#code`],
    ['in a link of a token, beside a holder', `https://etherscan.io/token/${address}?a=0x${'1'.repeat(40)}`],
    ['in a payment request', `ethereum:${address}`],
    ['in a payment request of another wallet', `ethereum:pay-${address}?gas=21000`],
  ])('%s is understood', (_, text: string | readonly string[]) => {
    expect(readTyped(text)).toEqual({ kind: 'address', address })
  })

  test.each([
    [`ethereum:${address}@137`, { chainId: 137 }],
    [`ethereum:0X${address.slice(2)}@1?value=2.014e18`, { chainId: 1, value: 2_014_000_000_000_000_000n }],
    [`ethereum:${address}?value=12`, { value: 12n }],
    [`ethereum:${address}?value=1.50e1`, { value: 15n }],
    [`eip155:42161:${address}`, { chainId: 42161 }],
    [`matic:${address}`, { chainId: 137 }],
    [`ARB1:${address}`, { chainId: 42161 }],
  ])('%s also names what is asked for', (text, more) => {
    expect(readTyped(text)).toEqual({ kind: 'address', address, ...more })
  })

  test.each([
    ['shape', '0x12', 'eth', '<script>', 'ethereum:', `zz:${address}`, `constructor:${address}`],
    ['shape', '0x'.padEnd(500, 'a'), '0x'.padEnd(5000, 'a')],
    ['prefix', address.slice(2)],
    ['secret', `0x${'ab'.repeat(32)}`, 'ab'.repeat(32)],
    ['shortened', '0xf39F…2266', '0xf39F...2266'],
    ['characters', address.replace('f39F', 'f39О'), `0х${address.slice(2)}`],
    ['name', 'vitalik.eth', 'pay.vitalik.cb.id', '0xf39f.eth', 'ethereum:vitalik.eth?value=1'],
    ['transaction', `https://polygonscan.com/tx/0x${'ab'.repeat(32)}`],
    ['link', 'https://polygonscan.com/', `https://example.com/${address}/0x${'1'.repeat(40)}`],
    ['request', ...['value=0.5', 'value=1e99', 'value=-1'].map((query) => `ethereum:${address}?${query}`)],
    ['request', `ethereum:${address}@1/mint?uint256=1`],
    ['token-request', `ethereum:${address}@1/transfer?address=${address}&uint256=1`],
    ['checksum', mistyped, `ethereum:${mistyped}@1`, `https://etherscan.io/address/${mistyped}`],
  ] as const)('says why: %s', (why, ...texts) => {
    for (const text of texts) expect(readTyped(text), text).toMatchObject({ kind: 'refused', why })
    expect(addressTexts[why]).toMatch(/\.$/)
  })

  test('a name is looked up as it was typed: an invisible character may be a part of it', () => {
    expect(nameIn(readTyped(' Vitalik.eth '))).toBe('Vitalik.eth')
    expect(nameIn(readTyped('\u{1f468}\u200d\u{1f469}.eth'))).toBe('\u{1f468}\u200d\u{1f469}.eth')
    const others = [
      'vitalik',
      'ethereum:vitalik.eth?value=1',
      'vitalik.eth/x',
      'a@b.eth',
      '0xf39F...2266',
      '',
    ]
    expect(others.map((text) => nameIn(readTyped(text)))).toEqual(others.map(() => null))
  })

  test('an address of a network that is not there is refused, and one without a network is not', () => {
    expect(onNetworks(readTyped(`eip155:10:${address}`), [1, 137])).toEqual({
      kind: 'refused',
      text: address,
      why: 'network',
    })
    for (const text of [`matic:${address}`, address])
      expect(onNetworks(readTyped(text), [1, 137])).toEqual(readTyped(text))
  })

  test('what may be a private key is not written into the page again', () => {
    expect(readTyped('ab'.repeat(32))).toMatchObject({ text: '' })
    expect(readTyped('<b>')).toMatchObject({ text: '<b>' })
  })

  test('only what is more than an address is shown as what was understood', () => {
    expect([address, ` ${address.toLowerCase()} `].map(isOtherForm)).toEqual([false, false])
    const others = [`matic:${address}`, `\u200b${address}`, `0X${address.slice(2)}`]
    expect(others.map(isOtherForm)).toEqual([true, true, true])
  })
})

test.each([undefined, 1n, 1_500_000_000_000_000_000n, 2n ** 256n - 1n])(
  'what this page asks for, %s, is understood by this page',
  (value) => {
    const request = { address, chainId: 137, ...(value !== undefined && { value }) } as const
    expect(readTyped(writePaymentRequest(request))).toEqual({ kind: 'address', ...request })
  },
)
