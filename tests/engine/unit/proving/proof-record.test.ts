import { expect, test } from 'vitest'
import { withCode } from '../../../../rpc-proxy/proving/proof-record.ts'

const proof = { header: [], accounts: ['0x01'], nodes: [], slots: [], code: null }
const codeOf = (bytes: number) => `"0x${'60'.repeat(bytes)}"`

test('a certificate has a code of 64 KiB, and none of a longer one', () => {
  expect(withCode(proof, codeOf(65_536))).toMatchObject({ code: codeOf(65_536).slice(1, -1) })
  expect(withCode(proof, codeOf(65_537))).toBe('too-long')
  expect(withCode(undefined, codeOf(1))).toBeUndefined()
})

test('a certificate of a code has no slots that others have read with its account', () => {
  const slots = [{ account: '0x01', slot: '0x02', nodes: [] }]
  expect(withCode({ ...proof, slots }, codeOf(1))).toEqual({ ...proof, code: '0x60' })
})
