import type { AccountSlots, ProvenState } from '../proofs/trie-proof.ts'

/** How a result follows from proofs of accounts: from what they prove, as the code that one names, or as the reply itself. */
export type Proves = {
  /** The accounts that are proven, and storage slots of each; none where that would be too many. */
  readonly accountsOf: (params: readonly unknown[]) => readonly AccountSlots[]
} & (
  | {
      readonly kind: 'value'
      /** Takes what is proven, in the order of `accountsOf`, and the params. */
      readonly valueOf: (states: readonly ProvenState[], params: readonly unknown[]) => unknown
    }
  | { readonly kind: 'code' }
  | { readonly kind: 'reply' }
)

const accountAlone = ([address]: readonly unknown[]) => [{ address: address as string, slots: [] }]
const accountOf = ([state]: readonly ProvenState[]) => state?.account

export const balance: Proves = {
  kind: 'value',
  accountsOf: accountAlone,
  valueOf: (states) => accountOf(states)?.balance ?? '0x0',
}
export const nonce: Proves = {
  kind: 'value',
  accountsOf: accountAlone,
  valueOf: (states) => accountOf(states)?.nonce ?? '0x0',
}
export const storage: Proves = {
  kind: 'value',
  accountsOf: ([address, slot]) => [{ address: address as string, slots: [slot as string] }],
  valueOf: ([state]) => wordOf(state?.slots[0]),
}
export const storageValues: Proves = {
  kind: 'value',
  accountsOf: ([slots]) => {
    const accounts = Object.entries(slots as SlotsByAccount).map(([address, slots]) => ({ address, slots }))
    const isLarge = accounts.length > accountsMax || accounts.some(({ slots }) => slots.length > slotsMax)
    return isLarge ? [] : accounts
  },
  valueOf: (states, [slots]) =>
    Object.fromEntries(
      Object.keys(slots as SlotsByAccount).map((address, index) => [
        address,
        states[index]?.slots.map(wordOf),
      ]),
    ),
}
export const code: Proves = { kind: 'code', accountsOf: accountAlone }
export const proof: Proves = {
  kind: 'reply',
  accountsOf: ([address, keys]) => [{ address: address as string, slots: keys as readonly string[] }],
}

/** A proof for each: more would be many requests for one call. */
const accountsMax = 8
/** What eth_getProof takes here. */
const slotsMax = 256

type SlotsByAccount = Readonly<Record<string, readonly string[]>>

/** A slot is returned as a word. */
const wordOf = (value = '0x0') => `0x${value.slice(2).padStart(64, '0')}`
