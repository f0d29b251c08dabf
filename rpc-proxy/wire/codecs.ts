/** A reply that is not of its type at all: a fault, never a vote. Made once, since a stack says nothing about it. */
export const malformed = new Error('malformed reply')

export interface CodecContext {
  readonly chainId: number
  /** Members of lists that have been read before. */
  readonly ahead?: ReadMembers
}

/** Canonical members by what a node sent for them. */
export type ReadMembers = WeakMap<object, unknown>

export interface Merging extends CodecContext {
  /** Members of lists that have been merged before, by the first version of each. */
  readonly merged?: WeakMap<object, unknown>
  /** Whether the versions at these places weigh enough to be believed on a field that was not compared. */
  readonly agree: (indexes: readonly number[]) => boolean
}

/** How one type of value is compared, and how a group's versions of it become one. */
export interface Codec {
  /** The canonical value: equal for equal meaning; undefined for what is not compared. Throws `malformed`. */
  readonly read: (value: unknown, reading: CodecContext) => unknown
  /** One value out of versions whose canonical value is the same; undefined for no key. */
  readonly merge: (values: readonly unknown[], merging: Merging) => unknown
  /** It is written even where no node sent it. */
  readonly isAlwaysWritten?: true
}

/** A value that has nothing inside: its canonical form is what is returned. */
export interface Scalar<Value> extends Codec {
  readonly read: (value: unknown) => Value
}

export function scalar<Value>(read: (value: unknown) => Value): Scalar<Value> {
  return { read, merge: (values) => read(values[0]) }
}

const quantityPattern = /^0x[0-9a-fA-F]{1,64}$/
const dataPattern = /^0x[0-9a-fA-F]*$/

/** Hex without leading zeros. Some nodes pad, so zeros are no difference. */
export const quantity = scalar((value) => {
  if (typeof value !== 'string' || !quantityPattern.test(value)) throw malformed
  if (value.charCodeAt(2) !== 48 || value.length === 3) return value.toLowerCase()
  return `0x${value
    .slice(2)
    .replace(/^0+(?=.)/, '')
    .toLowerCase()}`
})

/** Bytes as they are, in lower case. */
export const data = scalar(readData)

export const bytes = (length: number): Scalar<string> =>
  scalar((value) => {
    const read = readData(value)
    return read.length === 2 + 2 * length ? read : raise()
  })
/** At most so many bytes. */
export const bytesAtMost = (length: number): Scalar<string> =>
  scalar((value) => (typeof value === 'string' && value.length > 2 + 2 * length ? raise() : readData(value)))
/** Bytes that some nodes write as a quantity, without their leading zeros. */
export const paddedBytes = (length: number): Scalar<string> =>
  scalar((value) => {
    if (typeof value !== 'string' || !quantityPattern.test(value) || value.length > 2 + 2 * length)
      throw malformed
    return `0x${value
      .slice(2)
      .padStart(2 * length, '0')
      .toLowerCase()}`
  })
export const address = bytes(20)
export const hash = bytes(32)

/** A storage key, which some nodes give as a quantity and some as a word. */
export const word = paddedBytes(32)

export const bool = scalar((value) => (typeof value === 'boolean' ? value : raise()))

/** A share between 0 and 1, to 6 places: nodes round the last digits of a double in their own ways. */
export const ratio = scalar((value) =>
  typeof value === 'number' && value >= 0 && value <= 1e6 ? Math.round(value * 1e6) / 1e6 : raise(),
)

/** Missing is null. */
export function nullable({ read, merge }: Codec): Codec {
  return {
    read: (value, reading) => (value == null ? null : read(value, reading)),
    merge: (values, merging) => (values[0] == null ? null : merge(values, merging)),
  }
}

/** A list that is missing, null or empty says one thing; it is returned as an empty list where anybody wrote one, never as null. */
export function emptiable(codec: Codec): Codec {
  return oneOf((value) => (isEmpty(value) ? empty : codec))
}

const empty: Codec = {
  read: () => null,
  merge: (values) => (values.some((value) => value != null) ? [] : undefined),
}
export const isEmpty = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0)

/** Reads what `prepare` makes of a value. */
export function preprocess(
  prepare: (value: unknown, reading: CodecContext) => unknown,
  { read, merge }: Codec,
): Codec {
  const prepareAll = (values: readonly unknown[], merging: Merging) =>
    values.map((value) => prepare(value, merging))
  return {
    read: (value, reading) => read(prepare(value, reading), reading),
    merge: (values, merging) => merge(prepareAll(values, merging), merging),
  }
}

/** A value whose type the value itself tells. */
export function oneOf(codecOf: (value: unknown, reading: CodecContext) => Codec): Codec {
  return {
    read: (value, reading) => codecOf(value, reading).read(value, reading),
    merge: (values, merging) => codecOf(values[0], merging).merge(values, merging),
  }
}

/** What says nothing and is not returned. */
export const absent: Codec = { read: () => null, merge: () => undefined }

/** Missing is the value that it cannot but be. */
export function withDefault(codec: Codec, otherwise: unknown): Codec {
  return { ...preprocess((value) => value ?? otherwise, codec), isAlwaysWritten: true }
}

/** How canonical members stand to each other, whatever order they are sent in. */
export type Compare = (one: unknown, other: unknown) => number

interface ListOptions {
  /** The list's own order means nothing, and this one is as good. */
  readonly order?: Compare
  /** More is no list of this type. */
  readonly itemsMax?: number
}

/** A list of one type. */
export function list(member: Codec, { order, itemsMax = Number.POSITIVE_INFINITY }: ListOptions = {}): Codec {
  const inOrder = (value: unknown, reading: CodecContext) => {
    const items = itemsOf(value)
    return items.length > itemsMax ? raise() : rowsOf(items, member, { order, reading })
  }
  return {
    read: (value, reading) => inOrder(value, reading).map((row) => row.read),
    merge: (values, merging) => {
      const versions = values.map((value) => inOrder(value, merging))
      return (versions[0] ?? []).map(
        ({ item }, index) =>
          known(merging.merged, item) ??
          member.merge(
            versions.map((rows) => rows[index]?.item),
            merging,
          ),
      )
    },
  }
}

/** A member as it was sent, and what it says. */
interface Row {
  readonly item: unknown
  readonly read: unknown
  /** Its canonical text, once anybody has asked for it. */
  text: string
}

/** The members of a list with what they say, in the order that counts. */
export function rowsOf(
  items: readonly unknown[],
  member: Codec,
  { order, reading }: { order: Compare | undefined; reading: CodecContext },
): readonly Row[] {
  const rows = items.map(
    (item): Row => ({ item, read: known(reading.ahead, item) ?? member.read(item, reading), text: '' }),
  )
  if (order === undefined) return rows
  const byPlace = (one: Row, other: Row) => order(one.read, other.read)
  const sorted = rows.sort(byPlace)
  const isShared = (by: number) =>
    sorted.some((row, index) => index >= by && byPlace(sorted[index - by] as Row, row) === 0)
  if (isShared(samePlaceMax)) throw malformed
  return isShared(1) ? sorted.sort((one, other) => byPlace(one, other) || byText(one, other)) : sorted
}

/**
 * Members at one place. Nobody's chain has two, but some clients have numbered logs twice
 * (https://github.com/erigontech/erigon/issues/15219).
 */
const samePlaceMax = 64

/** At one place too the order must not depend on the sender. */
function byText(one: Row, other: Row): number {
  one.text ||= JSON.stringify(one.read)
  other.text ||= JSON.stringify(other.read)
  return one.text < other.text ? -1 : one.text > other.text ? 1 : 0
}

function known(before: WeakMap<object, unknown> | undefined, item: unknown): unknown {
  return typeof item === 'object' && item !== null ? before?.get(item) : undefined
}

export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed
  return value as Readonly<Record<string, unknown>>
}

export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : raise()
}

function readData(value: unknown): string {
  if (typeof value !== 'string' || value.length % 2 !== 0 || !dataPattern.test(value)) throw malformed
  return value.toLowerCase()
}

export function raise(): never {
  throw malformed
}

/** Canonical quantities by size: the longer is the larger, and hex digits sort as text. */
export function byQuantity(one: string, other: string): number {
  return one.length - other.length || (one < other ? -1 : one > other ? 1 : 0)
}
