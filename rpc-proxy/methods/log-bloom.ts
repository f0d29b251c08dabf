import { bloomBits } from '../wire/bloom.ts'
import type { LogFilter } from './log-filter.ts'

/** The three places of a value in a bloom of 2048 bits. */
type Bits = readonly number[]

/** By filter: one is held against the blooms of many blocks. */
const bitsOf = new WeakMap<LogFilter, readonly (readonly Bits[])[]>()

/**
 * Whether a block with this bloom may hold a log that a canonical filter matches: true says possible, false says
 * certainly not (Yellow Paper, 4.3.1). A bloom that is none says possible. Polygon's state syncs are in no bloom before
 * Madhugiri, so false is not to be taken for "none" there.
 */
export function bloomMayContain(bloom: string, filter: LogFilter): boolean {
  if (!/^0x[0-9a-f]{512}$/i.test(bloom)) return true
  let wanted = bitsOf.get(filter)
  if (wanted === undefined) {
    wanted = [filter.address, ...(filter.topics ?? [])].flatMap((item) =>
      item == null ? [] : [(typeof item === 'string' ? [item] : item).map(bloomBits)],
    )
    bitsOf.set(filter, wanted)
  }
  return wanted.every((alternatives) => alternatives.some((bits) => bits.every((bit) => isSet(bloom, bit))))
}

/** Whether a bloom may hold this address or topic. */
export function isSetIn(bloom: string, value: string): boolean {
  return bloomBits(value).every((bit) => isSet(bloom, bit))
}

/** Bit 0 is the lowest bit of the last byte. */
function isSet(bloom: string, bit: number): boolean {
  const nibble = Number.parseInt(bloom.charAt(bloom.length - 1 - (bit >> 2)), 16)
  return ((nibble >> (bit & 3)) & 1) === 1
}
