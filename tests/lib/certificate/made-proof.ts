import { createHash } from 'node:crypto'
import { type Hex, keccak256, toHex } from 'viem'
import type { PublicProof, UnsignedCertificate } from '#lib/certificate/public-certificate.ts'
import { headerItems, verifyHeader, verifyProof } from '#rpc-proxy/testing.ts'
import { honestReply } from '../../support/build-trie.ts'
import { group } from '../../support/evidence.ts'
import { contract, provenBlockAt, truth } from '../../support/proven-chain.ts'
import { signer, unsigned } from './made-certificate.ts'

const made = provenBlockAt(1000)
const verified = verifyHeader(made, { chainId: 1, hash: made.hash })
if (verified === null) throw new Error('no header')
const header = headerItems(verified.fields)
export const block = { number: 1000, hash: made.hash }
export const slots = ['0x1', '0x9'].map((slot) => toHex(BigInt(slot), { size: 32 }))

/** The proof of an account with its slots, and what it proves. */
export function proofOf(address: Hex): { proof: PublicProof; state: unknown } {
  const account = keccak256(address)
  const reply = honestReply(truth.accounts, address, slots)
  const read = verifyProof(reply, { stateRoot: truth.stateRoot, address, slots })
  return {
    state: 'verified' in read && read.verified,
    proof: {
      header,
      accounts: [account],
      nodes: reply.accountProof,
      slots: slots.map((slot, index) => ({
        account,
        slot: keccak256(slot),
        nodes: reply.storageProof[index]?.proof ?? [],
      })),
      code: null,
    },
  }
}

export function withProof(proof: PublicProof | null, state: unknown): UnsignedCertificate {
  const groups = [group(JSON.stringify(state))]
  return { ...unsigned({ method: 'eth_getProof', ruleId: 'proven', block, groups }), proof }
}

/** What a gateway has signed together: the proof of the contract, and params that name this account. */
export function signedFor(address: string) {
  const params = JSON.stringify([address, slots, { blockHash: block.hash }])
  const { proof, state } = proofOf(contract.address)
  const paramsSha256 = createHash('sha256').update(params).digest('hex')
  return { certificate: signer.sign({ ...withProof(proof, state), paramsSha256 }), params, state }
}
