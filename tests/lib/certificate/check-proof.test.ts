import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkCertificate } from '#lib/certificate/check-certificate.ts'
import { provenText } from '#lib/certificate/check-proof.ts'
import type { PublicProof, UnsignedCertificate } from '#lib/certificate/public-certificate.ts'
import { createChance } from '../../support/chance.ts'
import { code, contract, nobodyThere } from '../../support/proven-chain.ts'
import { flipBit } from '../../support/random-state.ts'
import { signer } from './made-certificate.ts'
import { block, proofOf, withProof } from './made-proof.ts'

/** Signed after it was edited: nothing but the proof can refuse it. */
const verdictOf = async (certificate: UnsignedCertificate) =>
  (await checkCertificate(signer.sign(certificate), signer.key.publicKey)).verdict

const other = keccak256('0x01')
const slotEdits = (slots: PublicProof['slots']) => [
  { slots: slots.toReversed() },
  { slots: slots.slice(1) },
  ...[{ nodes: [] }, { account: other }, { slot: other }].map((change) => ({
    slots: slots.map((each) => ({ ...each, ...change })),
  })),
]

const [some, none] = [proofOf(contract.address), proofOf(nobodyThere)]
/** Of an account and of none, as one certificate has it. */
const both = {
  proof: {
    ...some.proof,
    accounts: [...some.proof.accounts, ...none.proof.accounts],
    nodes: [...some.proof.nodes, ...none.proof.nodes],
    slots: [...some.proof.slots, ...none.proof.slots],
  },
  state: [some.state, none.state] as unknown,
}
const withCode = { proof: { ...some.proof, slots: [], code }, state: code as unknown }

describe('the proof in a certificate', () => {
  test.each([
    ['an account with slots', some],
    ['no account', none],
    ['several accounts', both],
    ['a code', withCode],
  ])('of %s proves what the engine read of it', (_, { proof, state }) => {
    expect(provenText(proof, block)).toBe(JSON.stringify(state))
  })

  test('proves no code of an account that has another, or of two', () => {
    const { proof } = withCode
    for (const edit of [
      { ...proof, code: `${code}00` },
      { ...proof, code: '0x' },
      { ...both.proof, code },
      { ...none.proof, code: '0x' },
      { ...proof, accounts: [], nodes: [], slots: [] },
    ])
      expect(provenText(edit, block)).toBeNull()
  })

  test.each([
    ['an account', some],
    ['several accounts', both],
    ['a code', withCode],
  ])('of %s is refused with any edit, though the certificate is signed again', async (_, made) => {
    const { proof, state } = made
    const { header, nodes, accounts, slots } = proof
    expect(await verdictOf(withProof(proof, state))).toBe('valid')
    const edits: readonly Partial<PublicProof>[] = [
      ...header.map((field, at) => ({
        header: header.with(at, field === '0x' ? '0x01' : flipBit(field, createChance(at))),
      })),
      ...nodes.flatMap((node, at) =>
        [5, 77].map((bit) => ({ nodes: nodes.with(at, flipBit(node, createChance(bit))) })),
      ),
      { nodes: nodes.slice(1) },
      { nodes: [...nodes, nodes[0] as string] },
      { accounts: [] },
      { accounts: [...accounts, keccak256(nobodyThere)] },
      { accounts: accounts.with(0, other) },
      ...(accounts.length > 1 ? [{ accounts: accounts.toReversed() }] : []),
      { code: proof.code === null ? code : null },
      ...(proof.code === null ? slotEdits(slots) : [{ code: flipBit(code, createChance(1)) }]),
    ]
    for (const edit of edits) expect(await verdictOf(withProof({ ...proof, ...edit }, state))).toBe('refused')
  })

  test('does not prove another state, or another block', async () => {
    const { proof, state } = some
    const richer = { ...(state as object), slots: ['0x8', '0x0'] }
    expect(await verdictOf(withProof(proof, richer))).toBe('refused')
    for (const other of [{ ...block, number: 1001 }, null])
      expect(await verdictOf({ ...withProof(proof, state), block: other })).toBe('refused')
  })
})
