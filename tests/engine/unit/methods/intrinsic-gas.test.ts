import { expect, test } from 'vitest'
import { intrinsicGas } from '../../../../rpc-proxy/methods/call-object.ts'

const to = `0x${'ab'.repeat(20)}`
const key = `0x${'00'.repeat(32)}`

test.each([
  ['a transfer', { to }, 21_000],
  ['data of two zeros and one other byte', { to, data: '0x000001' }, 21_024],
  ['a contract of 33 bytes', { data: `0x${'01'.repeat(33)}` }, 21_000 + 32_000 + 33 * 16 + 2 * 2],
  [
    'an access list',
    { to, accessList: [{ address: to, storageKeys: [key, key] }] },
    21_000 + 2400 + 2 * 1900,
  ],
])('%s', (_, call, gas) => {
  expect(intrinsicGas(call)).toBe(gas)
})
