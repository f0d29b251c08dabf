import { type Hex, pad, toHex } from 'viem'
import { type Account, honestReply, stateRootOf, storageRootOf } from './build-trie.ts'
import { type Chance, createChance } from './chance.ts'

export interface State {
  readonly accounts: readonly Account[]
  readonly stateRoot: Hex
}

const bytes = (chance: Chance, length: number): Hex =>
  `0x${Array.from({ length }, () => chance.int(256).toString(16).padStart(2, '0')).join('')}`

/** Numbers of every length, small ones more often than large ones. */
const numberUpTo = (chance: Chance, bytesMax: number) => BigInt(bytes(chance, chance.between(1, bytesMax)))

function accountOf(chance: Chance): Account {
  const slots = Array.from(
    { length: chance.pick([0, 0, 1, 2, 40]) },
    (_, slot) => [pad(toHex(slot)), 1n + (numberUpTo(chance, 32) >> 1n)] as const,
  )
  return {
    address: bytes(chance, 20),
    nonce: chance.roll(0.3) ? 0n : numberUpTo(chance, 8),
    balance: chance.roll(0.3) ? 0n : numberUpTo(chance, 32),
    codeHash: bytes(chance, 32),
    slots,
    storageHash: storageRootOf(slots),
  }
}

export function stateOf(seed: number): State {
  const chance = createChance(seed)
  const accounts = Array.from({ length: chance.pick([1, 2, 17, 60]) }, () => accountOf(chance))
  return { accounts, stateRoot: stateRootOf(accounts) }
}

/** A question about an account that is there, or one that is not, with slots of both kinds, and what an honest node replies. */
export function queryAbout({ accounts, stateRoot }: State, chance: Chance) {
  const address = chance.roll(0.7) ? chance.pick(accounts).address : bytes(chance, 20)
  const slots = Array.from({ length: chance.int(4) }, () => pad(toHex(chance.int(60))))
  return { reply: honestReply(accounts, address, slots), question: { stateRoot, address, slots } }
}

export type StateQuery = ReturnType<typeof queryAbout>

/** The text with one bit of its hex changed. */
export function flipBit(hex: string, chance: Chance): string {
  const at = chance.between(2, hex.length - 1)
  const digit = Number.parseInt(hex[at] ?? '', 16) ^ (1 << chance.int(4))
  return `${hex.slice(0, at)}${digit.toString(16)}${hex.slice(at + 1)}`
}
