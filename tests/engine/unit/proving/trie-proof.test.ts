import { type Hex, keccak256, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { verifyProof } from '../../../../rpc-proxy/proving/trie-proof.ts'
import { verifying, walkTrie } from '../../../../rpc-proxy/proving/trie-walk.ts'
import { verifyHeader } from '../../../../rpc-proxy/wire/header-hash.ts'
import type { Reply } from '../../../support/build-trie.ts'
import { proofOf, rootOf } from '../../../support/build-trie.ts'
import { chain } from '../../../support/canonical-chain.ts'
import { type Chance, createChance } from '../../../support/chance.ts'
import { flipBit, queryAbout, type State, type StateQuery, stateOf } from '../../../support/random-state.ts'
import { headerNamed, proofs } from './fixtures.ts'

const word = (key: string) => `0x${key.slice(2).padStart(64, '0')}` as Hex
const firstNodeHash = ({ accountProof }: Reply) => keccak256(accountProof[0] as Hex)

/** The root of a header that hashes to its hash, where there is one. */
function stateRootOf({ header, reply }: (typeof proofs)[number]): Hex {
  if (header === undefined) return firstNodeHash(reply)
  const { block, chainId } = headerNamed(header)
  return (verifyHeader(block, { chainId, hash: block.hash })?.stateRoot ?? '0x') as Hex
}

const questionOf = (reply: Reply, stateRoot: Hex): StateQuery['question'] => ({
  stateRoot,
  address: reply.address as Hex,
  slots: reply.storageProof.map(({ key }) => word(key)),
})

const ofFixtures = proofs.map((fixture): StateQuery & { name: string } => ({
  name: fixture.name,
  reply: fixture.reply,
  question: questionOf(fixture.reply, stateRootOf(fixture)),
}))

describe('a proof of a real node', () => {
  test.each(ofFixtures.map((asked) => [asked.name, asked] as const))('shows %s', (_, { reply, question }) => {
    const { nonce, balance, storageHash, codeHash, storageProof } = reply
    expect(verifyProof(reply, question)).toEqual({
      verified: {
        account: { nonce, balance, storageHash, codeHash },
        slots: storageProof.map(({ value }) => value),
      },
    })
  })

  test('shows slots of a contract that has none', () => {
    const reply = chain.proof as unknown as Reply
    const question = questionOf(reply, firstNodeHash(reply))
    const result = verifyProof(reply, question)
    expect(result).toMatchObject({ verified: { account: { nonce: '0x1' }, slots: ['0x0', '0x0'] } })
    const bare = reply.storageProof.map((slot) => ({ ...slot, proof: null }))
    expect(verifyProof({ ...reply, storageProof: bare }, question)).toEqual(result)
  })
})

const states = Array.from({ length: 20 }, (_, seed) => stateOf(seed))

test('500 random proofs show what the trie has, and what it has not', () => {
  const chance = createChance(1)
  const seen = { absent: 0, zero: 0, value: 0 }
  for (let trial = 0; trial < 500; trial += 1) {
    const state = chance.pick(states)
    const { reply, question } = queryAbout(state, chance)
    const expected = expectedOf(state, question)
    expect(verifyProof(reply, question)).toEqual({ verified: expected })
    seen.absent += expected.account === null ? 1 : 0
    seen.zero += expected.slots.filter((value) => value === '0x0').length
    seen.value += expected.slots.filter((value) => value !== '0x0').length
  }
  expect(Math.min(seen.absent, seen.zero, seen.value)).toBeGreaterThan(50)
})

function expectedOf({ accounts }: State, { address, slots }: StateQuery['question']) {
  const account = accounts.find((each) => each.address === address)
  const amountOf = (slot: Hex) => account?.slots.find(([key]) => key === slot)?.[1] ?? 0n
  const { nonce = 0n, balance = 0n, storageHash, codeHash } = account ?? {}
  const shown = { nonce: toHex(nonce), balance: toHex(balance), storageHash, codeHash }
  return { account: account ? shown : null, slots: slots.map((slot) => toHex(amountOf(slot))) }
}

test('nodes that stand inside others, where paths part late, are read', () => {
  const stem = 'ab'.repeat(30)
  const entries = ['0123', '0124', '0a00', '9fff'].map(
    (end, index) => [`${stem}${end}`, `0x0${index + 1}`] as const,
  )
  for (const [path, value] of entries) expect(walk(entries, path)).toEqual({ verified: value })
  for (const end of ['0125', '0b00', '0a01', '8fff'])
    expect(walk(entries, `${stem}${end}`)).toEqual({ verified: null })
})

const walk = (entries: readonly (readonly [string, Hex])[], path: string) =>
  verifying(() => walkTrie(rootOf(entries), path, proofOf(entries, path)))

test('10,000 replies with a single bit changed in their proof are refused', () => {
  const chance = createChance(3)
  const random = Array.from({ length: 100 }, () => queryAbout(chance.pick(states), chance))
  const accepted = Array.from({ length: 10_000 }, () => {
    const { reply, question } = chance.pick(chance.roll(0.3) ? ofFixtures : random)
    const changed = withBitChanged(reply, chance)
    return 'verified' in verifyProof(changed, question) ? changed : null
  })
  expect(accepted.filter(Boolean)).toEqual([])
})

/** What is written beside a proof, which nobody reads. */
const unread = ['balance', 'nonce', 'codeHash', 'storageHash', 'value']

/** Every other text of a reply has the same chance. */
function withBitChanged(reply: Reply, chance: Chance): Reply {
  const texts: string[] = []
  JSON.stringify(reply, (name, value: unknown) => {
    if (typeof value === 'string' && !unread.includes(name)) texts.push(value)
    return value
  })
  const changing = chance.int(texts.length)
  let at = -1
  return JSON.parse(JSON.stringify(reply), (name, value: unknown) => {
    if (typeof value !== 'string' || unread.includes(name)) return value
    at += 1
    return at === changing ? flipBit(value, chance) : value
  }) as Reply
}
