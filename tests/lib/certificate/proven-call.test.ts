import { pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { readKnownCall } from '#lib/certificate/known-call.ts'
import { contract, nobodyThere } from '../../support/proven-chain.ts'
import { signer } from './made-certificate.ts'
import { block, proofOf, signedFor, slots, withProof } from './made-proof.ts'

const certificateOf = (address: `0x${string}`) => {
  const { proof, state } = proofOf(address)
  return signer.sign(withProof(proof, state))
}
const ofContract = certificateOf(contract.address)
const at = '0x3e8'
const balance = { method: 'eth_getBalance', params: [contract.address, at], result: '0xde0b6b3a7640000' }
const nonce = { method: 'eth_getTransactionCount', params: [contract.address, at], result: '0x1' }
const slot = { method: 'eth_getStorageAt', params: [contract.address, '0x1', at], result: pad('0x7') }
/** What the link of this call shows of it, beside a certificate. */
const read = (
  { method, params, result }: { method: string; params: readonly unknown[]; result: string },
  certificate = ofContract,
) => readKnownCall(certificate, { method, params: JSON.stringify(params), result: JSON.stringify(result) })

describe('the link of a proven figure', () => {
  test.each([
    ['a balance', balance],
    ['a nonce', nonce],
    ['a nonce at the hash of a block', { ...nonce, params: [contract.address, { blockHash: block.hash }] }],
    ['a slot', slot],
    ['an empty slot', { ...slot, params: [contract.address, pad('0x9'), at], result: pad('0x0') }],
  ])('%s tells the call', async (_, call) => {
    expect(await read(call)).toEqual(call)
  })

  test('is wrong where a gateway has signed the params of another account beside the proof', async () => {
    const linkOf = (address: string) => {
      const { certificate, params, state } = signedFor(address)
      return readKnownCall(certificate, { params, result: JSON.stringify(state) })
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
    const call = { ...balance, params: [nobodyThere, at], result: '0x0' }
    expect(await read(call, certificateOf(nobodyThere))).toEqual(call)
  })

  test.each([
    ['another value', { result: '0x1' }],
    ['another method', { method: 'eth_getTransactionCount' }],
    ['another account', { params: [nobodyThere, at] }],
    ['no account', { params: [null, at] }],
    ['another block', { params: [contract.address, '0x3e9'] }],
    ['another block by its hash', { params: [contract.address, { blockHash: pad('0x1') }] }],
    ['a param too many', { params: [contract.address, at, 'Insured'] }],
    ['no block', { params: [contract.address] }],
    ['a slot that is not proven', { ...slot, params: [contract.address, '0x2', at], result: pad('0xe') }],
    ['a slot that is none', { ...slot, params: [contract.address, `${pad('0x1')}00`, at] }],
  ])('with %s is wrong', async (_, change) => {
    expect(await read({ ...balance, ...change })).toBe('wrong')
  })

  test('is not shown where its result is none that a proof has', async () => {
    expect(await read({ method: 'eth_call', params: [{}, at], result: '0x' })).toBe('none')
  })

  test('is believed no more where the certificate has lost its proof', async () => {
    expect(await read(balance, signer.sign(withProof(null, {})))).toBe('none')
  })
})
