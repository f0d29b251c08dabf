import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PublicCertificate } from '#lib/certificate/public-certificate.ts'
import { signed, signer } from '../lib/certificate/made-certificate.ts'
import { block, proofOf, slots, withProof } from '../lib/certificate/made-proof.ts'
import { chain } from '../support/canonical-chain.ts'
import { group } from '../support/evidence.ts'
import { contract, nobodyThere } from '../support/proven-chain.ts'

const script = join(import.meta.dirname, '../../scripts/check.ts')
const check = (certificate: string, ...options: readonly string[]) =>
  spawnSync(process.execPath, [script, '-', ...options], { input: certificate, encoding: 'utf8' }).status

const { proof, state } = proofOf(contract.address)
const paramsOf = (address: string) => JSON.stringify([address, slots, { blockHash: block.hash }])
const signedFor = (params: string): PublicCertificate =>
  signer.sign({
    ...withProof(proof, state),
    paramsSha256: createHash('sha256').update(params).digest('hex'),
  })

describe('npm run check', () => {
  const certificate = JSON.stringify(signedFor(paramsOf(contract.address)))

  test('refuses a proof of another account than that of the params, which a gateway has signed together', () => {
    const params = paramsOf(nobodyThere)
    expect(check(JSON.stringify(signedFor(params)), '--params', params)).toBe(1)
    expect(check(certificate, '--params', paramsOf(contract.address))).toBe(0)
  })

  test('says that a certificate is valid, and compares its result with what another node says of it, in its own words', () => {
    const [receipt] = chain.receipts
    const method = 'eth_getTransactionReceipt'
    const ofReceipt = JSON.stringify(signed({ method, groups: [group(JSON.stringify(receipt))] }))
    expect(check(ofReceipt, '--result', JSON.stringify({ own: '0x1', ...receipt }, null, 2))).toBe(0)
    expect(check(ofReceipt, '--result', JSON.stringify({ ...receipt, status: '0x0' }))).toBe(1)
    expect(check(ofReceipt.replace('{', '{"outcome":"failed",'))).toBe(1)
  })
})
