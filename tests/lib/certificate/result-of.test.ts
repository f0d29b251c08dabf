import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isResultOf } from '#lib/certificate/result-of.ts'
import type { Json } from '../../support/canonical-chain.ts'
import { ofReceipt, receipt, signed } from './made-certificate.ts'

const docs = readFileSync(join(import.meta.dirname, '../../../docs/certificates.md'), 'utf8')
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The members that docs/certificates.md has of an object, before what it says of some objects only. */
function membersOf(name: string): readonly string[] {
  const [, row = ''] = docs.match(new RegExp(`^\\| ${name} \\| ([^;|]+)`, 'm')) ?? []
  return [...row.matchAll(/`(\w+)`/g)].map(([, member = '']) => member)
}

/** A receipt and its logs by the words of the documentation alone: its values are quantities and bytes in lower case already. */
const written = (name: string, value: Json): Json =>
  Object.fromEntries(
    membersOf(name).map((member) => [
      member,
      member === 'logs' ? (value.logs as Json[]).map((log) => written('log', log)) : (value[member] ?? null),
    ]),
  )

test('the digest of a receipt is that of the text which the documentation describes', async () => {
  const certificate = signed(ofReceipt)
  expect(membersOf('receipt').length).toBeGreaterThan(10)
  expect(certificate.resultSha256).toBe(sha256(JSON.stringify(written('receipt', receipt))))
  expect(certificate.votes[0]?.vote).toBe(certificate.resultSha256)
  expect(await isResultOf(certificate, { shape: 'receipt', result: receipt })).toBe(true)
})

test('nodes of Arbitrum that differ in what only some of them know say the same', async () => {
  const result = { ...receipt, l1BlockNumber: '0x1', gasUsedForL1: '0x2', timeboosted: true }
  expect(await isResultOf(signed({ chainId: 42_161, ...ofReceipt }), { shape: 'receipt', result })).toBe(true)
})
