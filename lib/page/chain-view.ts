import type { Question, Reading } from './reading.ts'

/** One chain's figures for a page. Both readings are of the same block. */
export interface ChainView {
  readonly chainId: number
  readonly head: Reading
  /** Null without an address. */
  readonly balance: Reading | null
}

/** A JSON-RPC quantity as a bigint; null for anything else. */
export function toUnits(value: unknown): bigint | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : null
}

/** The questions for a chain's card. */
export function cardQuestions(address: string | undefined): readonly Question[] {
  const head = { method: 'eth_blockNumber', params: [] }
  return address ? [head, { method: 'eth_getBalance', params: [address, 'latest'] }] : [head]
}
