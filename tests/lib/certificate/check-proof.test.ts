import { type Hex, keccak256, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import { stateOf } from '#lib/certificate/check-proof.ts'
import type { PublicProof, UnsignedCertificate } from '#lib/certificate/public-certificate.ts'
import { headerItems, verifyHeader } from '../../../rpc-proxy/proofs/header-hash.ts'
import { headers } from '../../rpc-proxy/proofs/fixtures.ts'
import { flipBit } from '../../rpc-proxy/proofs/random-state.ts'
import { createChance } from '../../sim/chance.ts'
import { contract, nobodyThere } from '../../support/proven-chain.ts'
import { signer } from './made-certificate.ts'
import { block, proofOf, withProof } from './made-proof.ts'

/** Signed after it was edited: nothing but the proof can refuse it. */
const verdictOf = async (certificate: UnsignedCertificate) =>
  (await checkCertificate(signer.sign(certificate), signer.key.publicKey)).verdict

describe('the proof in a certificate', () => {
  test.each([
    ['an account with slots', contract.address],
    ['no account', nobodyThere],
  ])('of %s proves what the engine read of it', (_, address) => {
    const { proof, state } = proofOf(address)
    expect(stateOf(proof, block)).toEqual(state)
  })

  test.each(headers.map((each) => [each.name, each] as const))('hashes the header of %s', (_, fixture) => {
    const read = verifyHeader(fixture.block, { chainId: fixture.chainId, hash: fixture.block.hash })
    if ('fault' in read) throw new Error(read.fault)
    const items = headerItems(read.verified.fields) as readonly Hex[]
    expect(keccak256(toRlp(items))).toBe(read.verified.hash)
  })

  test('is refused with any edit, though the certificate is signed again', async () => {
    const { proof, state } = proofOf(contract.address)
    expect(await verdictOf(withProof(proof, state))).toBe('valid')
    const edits: readonly PublicProof[] = [
      ...proof.header.map((field, at) => ({
        ...proof,
        header: proof.header.with(at, field === '0x' ? '0x01' : flipBit(field, createChance(at))),
      })),
      ...proof.nodes.flatMap((node, at) =>
        [5, 77].map((bit) => ({ ...proof, nodes: proof.nodes.with(at, flipBit(node, createChance(bit))) })),
      ),
      { ...proof, nodes: proof.nodes.slice(1) },
      { ...proof, nodes: [...proof.nodes, proof.nodes[0] as string] },
      { ...proof, account: keccak256(nobodyThere) },
      { ...proof, slots: proof.slots.toReversed() },
      { ...proof, slots: proof.slots.slice(1) },
      { ...proof, slots: proof.slots.map((each) => ({ ...each, nodes: [] })) },
    ]
    for (const edit of edits) expect(await verdictOf(withProof(edit, state))).toBe('refused')
  })

  test('does not prove another state, or another block', async () => {
    const { proof, state } = proofOf(contract.address)
    const richer = { ...(state as object), slots: ['0x8', '0x0'] }
    expect(await verdictOf(withProof(proof, richer))).toBe('refused')
    expect(await verdictOf({ ...withProof(proof, state), block: { ...block, number: 1001 } })).toBe('refused')
    expect(await verdictOf({ ...withProof(proof, state), block: null })).toBe('refused')
  })
})
