import type { Reading } from './reading.ts'

/** What a page shows of one chain at one moment: both readings see the same block. */
export interface ChainView {
  readonly chainId: number
  readonly head: Reading
  /** Null while nobody's balance is asked for. */
  readonly balance: Reading | null
}

/** A quantity of JSON-RPC as a bigint; null for anything else. */
export function toUnits(value: unknown): bigint | null {
  return typeof value === 'string' && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : null
}
