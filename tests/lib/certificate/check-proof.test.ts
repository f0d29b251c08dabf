import { type Hex, keccak256, toHex, toRlp } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import { stateOf } from '#lib/certificate/check-proof.ts'
import type { PublicProof, UnsignedCertificate } from '#lib/certificate/public-certificate.ts'
import { headerItems, verifyHeader } from '../../../rpc-proxy/proofs/header-hash.ts'
import { verifyProof } from '../../../rpc-proxy/proofs/trie-proof.ts'
import { group } from '../../rpc-proxy/ledger/evidence.ts'
import { honestReply } from '../../rpc-proxy/proofs/build-trie.ts'
import { headers } from '../../rpc-proxy/proofs/fixtures.ts'
import { flipBit } from '../../rpc-proxy/proofs/random-state.ts'
import { createChance } from '../../sim/chance.ts'
import { contract, nobodyThere, provenBlockAt, truth } from '../../support/proven-chain.ts'
import { signer, unsigned } from './made-certificate.ts'

const made = provenBlockAt(1000)
const verified = verifyHeader(made, { chainId: 1, hash: made.hash })
if ('fault' in verified) throw new Error(verified.fault)
const header = headerItems(verified.verified.fields)
const block = { number: 1000, hash: made.hash }
const slots = ['0x1', '0x9'].map((slot) => toHex(BigInt(slot), { size: 32 }))

function proofOf(address: `0x${string}`): { proof: PublicProof; state: unknown } {
  const reply = honestReply(truth.accounts, address, slots)
  const read = verifyProof(reply, { stateRoot: truth.stateRoot, address, slots })
  return {
    state: 'verified' in read && read.verified,
    proof: {
      header,
      account: keccak256(address),
      nodes: reply.accountProof,
      slots: slots.map((slot, index) => ({
        slot: keccak256(slot),
        nodes: reply.storageProof[index]?.proof ?? [],
      })),
    },
  }
}

/** A certificate that is signed after it was edited: nothing but its proof can refuse it. */
function withProof(proof: PublicProof, state: unknown): UnsignedCertificate {
  return { ...unsigned({ block, groups: [group(JSON.stringify(state))] }), proof }
}
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
