import { type Codec, data, list, type Merging, quantity, type ReadMembers } from './codecs.ts'
import { accessListResult, proof, storage } from './execution-codecs.ts'
import { feeHistory } from './fee-history.ts'
import { block, inChainOrder, log, receipt, uncle } from './objects.ts'
import { json } from './record.ts'
import { simulation } from './simulated.ts'
import { provenTransaction } from './transaction-codec.ts'

const codecs = {
  quantity,
  data,
  call: data,
  json,
  block,
  uncle,
  transaction: provenTransaction,
  receipt,
  receipts: list(receipt, { order: inChainOrder }),
  logs: list(log, { order: inChainOrder }),
  proof,
  'fee-history': feeHistory,
  'access-list': accessListResult,
  storage,
  simulation,
} as const satisfies Readonly<Record<string, Codec>>

/** What a result is made of: decides how two results are compared and what is returned. */
export type Shape = keyof typeof codecs

/**
 * A value in canonical form; null stays null, for whether that may be an answer is the method's to say. Throws
 * `malformed` when the value is not of that shape at all, which is a fault and never a vote.
 */
export function readAs(shape: Shape, value: unknown, chainId = 0, ahead?: ReadMembers): unknown {
  return value === null ? null : codecs[shape].read(value, { chainId, ...(ahead && { ahead }) })
}

/**
 * Text by which two results of a shape are equal; null for what is not of that shape.
 *
 * @example
 * canonical('quantity', '0x00AB') // '"0xab"'
 */
export function canonical(shape: Shape, value: unknown, chainId = 0): string | null {
  try {
    return textOf(readAs(shape, value, chainId))
  } catch {
    return null
  }
}

/** The text of a value in canonical form. */
export function textOf(read: unknown): string {
  // Most answers are one text of hex. Looking through a long one for what to escape costs more than reading it did.
  return typeof read === 'string' ? `"${read}"` : JSON.stringify(read)
}

/**
 * The JSON text to return for a group whose canonical text is one and whose bytes are several: what was compared, in
 * canonical form, and of all other fields those on which `agree` says that enough of the group has the same bytes.
 */
export function compose(
  shape: Shape,
  values: readonly unknown[],
  merging: Pick<Merging, 'agree'> & Partial<Merging>,
): string {
  return JSON.stringify(values[0] === null ? null : codecs[shape].merge(values, { chainId: 0, ...merging }))
}

const lists: Partial<Record<Shape, readonly string[]>> = {
  block: ['withdrawals'],
  transaction: ['accessList', 'authorizationList', 'blobVersionedHashes'],
  'fee-history': ['reward', 'baseFeePerBlobGas', 'blobGasUsedRatio'],
}

/** Whether a result has null in place of a list: alloy, for one, reads no such thing, though nodes send it. */
export function holdsNullList(shape: Shape, value: unknown): boolean {
  return (
    lists[shape]?.some((name) => (value as Readonly<Record<string, unknown>> | null)?.[name] === null) ??
    false
  )
}
