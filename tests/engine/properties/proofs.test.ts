import { type Hex, pad, toHex } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { type Chance, createChance } from '../../support/chance.ts'
import { rpc } from '../../support/gateway-calls.ts'
import { code, contract, lie, nobodyThere, noProofs, repliesOf, truth } from '../../support/proven-chain.ts'
import { flipBit } from '../../support/random-state.ts'
import { fails, hangs, late, type Reply } from '../../support/replies.ts'
import { hex } from '../../support/scripted-chain.ts'
import { expectRest, type Script, worldOf } from '../../support/world.ts'

afterEach(expectRest)

const honest = repliesOf(truth)
const poisoned = repliesOf(lie)
const proof = honest.eth_getProof as Reply

/** A proof with one bit of its hex changed, somewhere in its result. */
const damaged =
  (chance: Chance): Reply =>
  (received) => {
    const { says, ...rest } = proof(received)
    if (says === null || !('object' in says)) throw new Error('no object')
    const parts = [...says.object.matchAll(/"(0x[0-9a-f]+)"/g)]
    const part = chance.pick(parts)
    const at = part.index + 1
    const text = part[1] as string
    const changed = says.object.slice(0, at) + flipBit(text, chance) + says.object.slice(at + text.length)
    return { ...rest, says: { object: changed } }
  }

/** The proof of another account or other slots, under the names that were asked for. */
const relabelled: Reply = (received) => {
  const [address, slots] = received.params as [Hex, readonly Hex[]]
  const { says, ...rest } = proof({
    ...received,
    params: [truth.accounts[0]?.address, slots.map((slot) => pad(toHex(Number(slot) + 1)))],
  })
  const text = says !== null && 'object' in says ? says.object : ''
  const named = text.replaceAll(truth.accounts[0]?.address as string, address)
  const renamed = slots.reduce((all, slot) => all.replaceAll(pad(toHex(Number(slot) + 1)), slot), named)
  return { ...rest, says: { object: renamed } }
}

/** A node that shows the true header: how it proves and what it says without a proof. */
function nodeOf(chance: Chance): Script {
  const isLiar = chance.roll(0.6)
  const own = isLiar ? poisoned : honest
  const eth_getProof = isLiar
    ? chance.pick([poisoned.eth_getProof as Reply, damaged(chance), relabelled, noProofs, hangs])
    : chance.pick([proof, proof, late(200, proof), noProofs, fails(-32000, 'missing trie node')])
  return {
    on: { ...own, eth_getBlockByNumber: honest.eth_getBlockByNumber as Reply, eth_getProof },
    operator: `operator ${chance.int(4)}`.replace(' ', '-'),
    weight: chance.pick([1, 1, 2]),
    role: chance.roll(0.2) ? 'witness' : 'voter',
  }
}

const slotsOf = new Map(contract.slots)
function question(chance: Chance) {
  const isThere = chance.roll(0.7)
  const address = isThere ? contract.address : nobodyThere
  const block = chance.pick(['latest', hex(1000), hex(999)])
  const slot = chance.int(6)
  return chance.pick([
    ['eth_getBalance', [address, block], isThere ? hex(1e18) : '0x0'],
    ['eth_getTransactionCount', [address, block], isThere ? '0x1' : '0x0'],
    ['eth_getCode', [address, block], isThere ? code : '0x'],
    [
      'eth_getStorageAt',
      [address, hex(slot), block],
      pad(toHex((isThere ? slotsOf.get(pad(toHex(slot))) : 0n) ?? 0n)),
    ],
  ] as const)
}

test('S24: whatever nodes forge, what is marked as proven is true, and so is all where a proof is required', async () => {
  let proven = 0
  for (let seed = 1; seed <= 150; seed++) {
    const chance = createChance(seed)
    const proofs = chance.pick(['auto', 'required'])
    const scripts = [
      { ...nodeOf(chance), role: 'voter' as const },
      ...Array.from({ length: chance.between(2, 5) }, () => nodeOf(chance)),
    ]
    const world = worldOf(scripts, { proofs, random: () => chance.int(1000) / 1000 } as Parameters<
      typeof worldOf
    >[1])
    for (let call = 0; call < 6; call++) {
      const [method, params, truth] = question(chance)
      const protect = { headers: { 'x-quorate-protect': '1' } }
      const { result, headers } = await rpc(world, method, params, chance.roll(0.2) ? protect : {})
      const isProven = headers['x-quorate-agreement']?.endsWith('; proven') === true
      if (isProven) proven++
      if (isProven || (proofs === 'required' && result !== undefined))
        expect([seed, method, params, result]).toEqual([seed, method, params, truth])
      if (proofs === 'required' && result !== undefined) expect([seed, isProven]).toEqual([seed, true])
    }
  }
  expect(proven).toBeGreaterThan(300)
})
