import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ofReceipt, receipt, signed } from '../lib/certificate/made-certificate.ts'
import { signedFor } from '../lib/certificate/made-proof.ts'
import { contract, nobodyThere } from '../support/proven-chain.ts'

const script = join(import.meta.dirname, '../../scripts/check.ts')
const check = (certificate: string, ...options: readonly string[]) =>
  spawnSync(process.execPath, [script, '-', ...options], { input: certificate, encoding: 'utf8' }).status

describe('npm run check', () => {
  test.each([
    ['refuses the proof of another account than that of the params, signed together', nobodyThere, 1],
    ['says that a certificate with the proof of the account of its params is valid', contract.address, 0],
  ])('%s', (_, address, status) => {
    const { certificate, params } = signedFor(address)
    expect(check(JSON.stringify(certificate), '--params', params)).toBe(status)
  })

  test('says that a certificate is valid, and compares its result with what another node says of it, in its own words', () => {
    const certificate = JSON.stringify(signed(ofReceipt))
    expect(check(certificate, '--result', JSON.stringify({ own: '0x1', ...receipt }, null, 2))).toBe(0)
    expect(check(certificate, '--result', JSON.stringify({ ...receipt, status: '0x0' }))).toBe(1)
    expect(check(certificate.replace('{', '{"outcome":"failed",'))).toBe(1)
  })
})
