import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import { provenText, statesOf } from '#lib/certificate/check-proof.ts'
import type { PublicProof, UnsignedCertificate } from '#lib/certificate/public-certificate.ts'
import { createChance } from '../../support/chance.ts'
import { code, contract, nobodyThere } from '../../support/proven-chain.ts'
import { flipBit } from '../../support/random-state.ts'
import { signer } from './made-certificate.ts'
import { block, proofOf, withProof } from './made-proof.ts'

/** Signed after it was edited: nothing but the proof can refuse it. */
const verdictOf = async (certificate: UnsignedCertificate) =>
  (await checkCertificate(signer.sign(certificate), signer.key.publicKey)).verdict

const slotEdits = ({ slots, ...proof }: PublicProof): readonly PublicProof[] => [
  { ...proof, slots: slots.toReversed() },
  { ...proof, slots: slots.slice(1) },
  { ...proof, slots: slots.map((each) => ({ ...each, nodes: [] })) },
  { ...proof, slots: slots.map((each) => ({ ...each, account: keccak256('0x01') })) },
  { ...proof, slots: slots.map((each) => ({ ...each, slot: keccak256('0x01') })) },
]

/** Of an account and of none, as one certificate has it. */
function both() {
  const [one, other] = [proofOf(contract.address), proofOf(nobodyThere)]
  const proof: PublicProof = {
    ...one.proof,
    accounts: [...one.proof.accounts, ...other.proof.accounts],
    nodes: [...one.proof.nodes, ...other.proof.nodes],
    slots: [...one.proof.slots, ...other.proof.slots],
  }
  return { proof, state: [one.state, other.state] as unknown }
}

function withCode() {
  const proof: PublicProof = { ...proofOf(contract.address).proof, slots: [], code }
  return { proof, state: code as unknown }
}

describe('the proof in a certificate', () => {
  test.each([
    ['an account with slots', contract.address],
    ['no account', nobodyThere],
  ])('of %s proves what the engine read of it', (_, address) => {
    const { proof, state } = proofOf(address)
    expect(statesOf(proof, block)).toEqual([state])
    expect(provenText(proof, block)).toBe(JSON.stringify(state))
  })

  test('of several accounts proves the state of each', () => {
    const { proof, state } = both()
    expect(provenText(proof, block)).toBe(JSON.stringify(state))
    expect(proof.accounts).toHaveLength(2)
  })

  test('of an account proves its code', () => {
    const { proof } = withCode()
    expect(provenText(proof, block)).toBe(JSON.stringify(code))
  })

  test('proves no code of an account that has another, or of two', () => {
    const { proof } = withCode()
    for (const edit of [
      { ...proof, code: `${code}00` },
      { ...proof, code: '0x' },
      { ...both().proof, code },
      { ...proofOf(nobodyThere).proof, code: '0x' },
      { ...proof, accounts: [], nodes: [], slots: [] },
    ])
      expect(provenText(edit, block)).toBeNull()
  })

  test.each([
    ['an account', () => proofOf(contract.address)],
    ['several accounts', both],
    ['a code', withCode],
  ])('of %s is refused with any edit, though the certificate is signed again', async (_, make) => {
    const { proof, state } = make()
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
      { ...proof, accounts: [] },
      { ...proof, accounts: [...proof.accounts, keccak256(nobodyThere)] },
      { ...proof, accounts: proof.accounts.with(0, keccak256('0x01')) },
      ...(proof.accounts.length > 1 ? [{ ...proof, accounts: proof.accounts.toReversed() }] : []),
      { ...proof, code: proof.code === null ? code : null },
      ...(proof.code === null ? slotEdits(proof) : [{ ...proof, code: flipBit(code, createChance(1)) }]),
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
