import { createHash } from 'node:crypto'
import { pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { readKnownCall } from '#lib/certificate/known-call.ts'
import { contract, nobodyThere } from '../../support/proven-chain.ts'
import { signer } from './made-certificate.ts'
import { block, proofOf, slots, withProof } from './made-proof.ts'

const certificateOf = (address: `0x${string}`) => {
  const { proof, state } = proofOf(address)
  return signer.sign(withProof(proof, state))
}
const certificate = certificateOf(contract.address)
const at = '0x3e8'
const textsOf = (method: string, params: readonly unknown[], result: unknown) => ({
  method,
  params: JSON.stringify(params),
  result: JSON.stringify(result),
})

describe('the link of a proven figure', () => {
  const balance = ['eth_getBalance', [contract.address, at], '0xde0b6b3a7640000'] as const

  test.each([
    balance,
    ['eth_getTransactionCount', [contract.address, at], '0x1'],
    ['eth_getTransactionCount', [contract.address, { blockHash: block.hash }], '0x1'],
    ['eth_getStorageAt', [contract.address, '0x1', at], pad('0x7')],
    ['eth_getStorageAt', [contract.address, pad('0x9'), at], pad('0x0')],
  ] as const)('%s %j tells the call', async (method, params, result) => {
    const known = await readKnownCall(certificate, textsOf(method, params, result))
    expect(known).toEqual({ method, params, result })
  })

  test('is wrong where a gateway has signed the params of another account beside the proof', async () => {
    const { proof, state } = proofOf(contract.address)
    const linkOf = async (address: string) => {
      const params = JSON.stringify([address, slots, { blockHash: block.hash }])
      const paramsSha256 = createHash('sha256').update(params).digest('hex')
      const signed = signer.sign({ ...withProof(proof, state), paramsSha256 })
      return readKnownCall(signed, { params, result: JSON.stringify(state) })
    }
    expect(await linkOf(contract.address)).toMatchObject({ method: 'eth_getProof' })
    expect(await linkOf(nobodyThere)).toBe('wrong')
  })

  test('shows no params that only the link contains', async () => {
    const { proof, state } = proofOf(contract.address)
    const several = signer.sign({ ...withProof(proof, state), method: 'eth_getStorageValues' })
    const note = 'This account is insured by the gateway'
    const wanted = { [contract.address]: slots }
    const readAs = (params: readonly unknown[]) =>
      readKnownCall(several, { params: JSON.stringify(params), result: JSON.stringify(state) })
    expect(await readAs([wanted, at])).toMatchObject({ params: [wanted, at] })
    const named = { blockHash: block.hash, requireCanonical: true }
    expect(await readAs([wanted, named])).toMatchObject({ params: [wanted, named] })
    expect(await readAs([wanted, note, at])).toBe('wrong')
    expect(await readAs([wanted, { ...named, note }])).toBe('wrong')
  })

  test('tells that there is no account', async () => {
    const texts = textsOf('eth_getBalance', [nobodyThere, at], '0x0')
    expect(await readKnownCall(certificateOf(nobodyThere), texts)).toMatchObject({ result: '0x0' })
  })

  test.each([
    ['another value', 'eth_getBalance', [contract.address, at], '0x1'],
    ['another method', 'eth_getTransactionCount', [contract.address, at], '0xde0b6b3a7640000'],
    ['another account', 'eth_getBalance', [nobodyThere, at], '0xde0b6b3a7640000'],
    ['no account', 'eth_getBalance', [null, at], '0xde0b6b3a7640000'],
    ['another block', 'eth_getBalance', [contract.address, '0x3e9'], '0xde0b6b3a7640000'],
    [
      'another block by its hash',
      'eth_getBalance',
      [contract.address, { blockHash: pad('0x1') }],
      '0xde0b6b3a7640000',
    ],
    ['a param too many', 'eth_getBalance', [contract.address, at, 'Insured'], '0xde0b6b3a7640000'],
    ['no block', 'eth_getBalance', [contract.address], '0xde0b6b3a7640000'],
    ['a slot that is not proven', 'eth_getStorageAt', [contract.address, '0x2', at], pad('0xe')],
    ['a slot that is none', 'eth_getStorageAt', [contract.address, `${pad('0x1')}00`, at], pad('0x7')],
  ])('with %s is wrong', async (_, method, params, result) => {
    expect(await readKnownCall(certificate, textsOf(method, params, result))).toBe('wrong')
  })

  test('is not shown where its result is none that a proof has', async () => {
    expect(await readKnownCall(certificate, textsOf('eth_call', [{}, at], '0x'))).toBe('none')
  })

  test('is believed no more where the certificate has lost its proof', async () => {
    const bare = signer.sign(withProof(null, {}))
    expect(await readKnownCall(bare, textsOf(...balance))).toBe('none')
  })
})
