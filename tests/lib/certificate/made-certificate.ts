import { publicCertificate, type UnsignedCertificate } from '#lib/certificate/public-certificate.ts'
import { createSigner } from '#lib/certificate/sign-certificate.ts'
import type { Evidence } from '#rpc-proxy'
import { certify } from '#rpc-proxy/testing.ts'
import { chain, type Json } from '../../support/canonical-chain.ts'
import { evidence, group } from '../../support/evidence.ts'

export const signer = createSigner('11'.repeat(32))

/** Two of three operators agree, the third differs. */
export function unsigned(fields: Partial<Evidence> = {}): UnsignedCertificate {
  const made = certify(
    evidence({
      block: { number: 7, hash: `0x${'07'.repeat(32)}` },
      needed: 2,
      operatorsMin: 2,
      dissenting: 1,
      groups: [group('"0x1"'), { ...group('"0x2"', 1), operators: ['c'], nodes: ['c'] }],
      ...fields,
    }),
  )
  return publicCertificate(made, 'build-1')
}

export const signed = (fields: Partial<Evidence> = {}) => signer.sign(unsigned(fields))

export const [receipt] = chain.receipts as readonly [Json]
export const ofReceipt = { method: 'eth_getTransactionReceipt', groups: [group(JSON.stringify(receipt))] }
