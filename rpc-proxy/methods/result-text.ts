import { readAs, textOf } from '../wire/canonical.ts'
import type { ReadMembers } from '../wire/read-ahead.ts'
import type { Shape } from '../wire/shapes.ts'
import type { AgreedBlocks } from './agreed-blocks.ts'
import type { MethodSpec } from './method-spec.ts'

interface AnswerOptions {
  readonly chainId?: number
  readonly ahead?: ReadMembers | undefined
  readonly blocks?: AgreedBlocks
}

/** A result of the right form that contradicts an agreed block. */
export const contradictsAgreedBlock = Symbol('contradictsAgreedBlock')

/**
 * Text by which two answers to this call are equal; null for a value that cannot be its answer: not of the method's
 * shape in every part, or not about what was asked. Neither null nor `contradictsAgreedBlock` is ever a vote; both are a fault of the node. `params`
 * are those that the node was asked with. Never throws.
 */
export function resultText(
  spec: MethodSpec,
  params: readonly unknown[],
  value: unknown,
  { chainId = 0, ahead, blocks }: AnswerOptions = {},
): string | typeof contradictsAgreedBlock | null {
  if (value === null) return spec.nullable ? 'null' : null
  try {
    const read = readAs(spec.shape, value, chainId, ahead)
    if (spec.isAbout?.(params, read) === false) return null
    const isFitting = blocks === undefined || spec.fitsBlocks?.(params, read, blocks) !== false
    return isFitting ? textOf(read) : contradictsAgreedBlock
  } catch {
    return null
  }
}

/**
 * Number of the block that an answer is, or that its transaction or receipt is in; null for everything else. Takes the parsed
 * answer, which many calls may share: parsing its bytes again for each of a hundred calls of one batch took 63 ms.
 */
export function namedNumber({ shape }: MethodSpec, value: unknown): number | null {
  const field = numberFields[shape]
  const number =
    field === undefined ? null : (value as Readonly<Record<string, unknown>> | null | undefined)?.[field]
  return typeof number === 'string' ? Number(number) : null
}

/** Only these are compared: a node may add a `blockNumber` of its own to a block. */
const numberFields: Partial<Record<Shape, string>> = {
  block: 'number',
  transaction: 'blockNumber',
  receipt: 'blockNumber',
}
