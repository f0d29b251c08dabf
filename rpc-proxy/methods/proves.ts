import type { ProvenState } from '../proofs/trie-proof.ts'

/** How a result follows from the proof of an account: from what it proves, as the code that it names, or as the reply itself. */
export type Proves = {
  /** The storage slots that are proven with the account. */
  readonly slotsOf: (params: readonly unknown[]) => readonly string[]
} & (
  | { readonly kind: 'value'; readonly valueOf: (state: ProvenState) => string }
  | { readonly kind: 'code' }
  | { readonly kind: 'reply' }
)

const noSlots = () => []

export const balance: Proves = {
  kind: 'value',
  slotsOf: noSlots,
  valueOf: ({ account }) => account?.balance ?? '0x0',
}
export const nonce: Proves = {
  kind: 'value',
  slotsOf: noSlots,
  valueOf: ({ account }) => account?.nonce ?? '0x0',
}
/** A slot is returned as a word. */
export const storage: Proves = {
  kind: 'value',
  slotsOf: ([, slot]) => [slot as string],
  valueOf: ({ slots: [value = '0x0'] }) => `0x${value.slice(2).padStart(64, '0')}`,
}
export const code: Proves = { kind: 'code', slotsOf: noSlots }
export const proof: Proves = { kind: 'reply', slotsOf: ([, keys]) => keys as readonly string[] }
