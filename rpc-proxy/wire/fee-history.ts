import {
  absent,
  type Codec,
  type CodecContext,
  list,
  type Merging,
  objectOf,
  oneOf,
  quantity,
  ratio,
} from './codecs.ts'
import { agreedValue, record } from './record.ts'

const blocksMax = 1024
const percentilesMax = 100
/** A value for each block, and some lists have one for the next. */
const byBlock = { itemsMax: blocksMax + 1 }
const prices = list(quantity, byBlock)
const ratios = list(ratio, byBlock)

/** No percentiles asked: some nodes leave the rewards out, some say null, some an empty list. Returned as geth does, by no key. */
const rewards = oneOf((value) => (hasNone(value) ? absent : matrix))
const matrix = list(list(quantity, { itemsMax: percentilesMax }), byBlock)
const hasNone = (value: unknown) =>
  value == null || (Array.isArray(value) && value.every((row) => Array.isArray(row) && row.length === 0))

/** A list that is returned where enough agree on it. */
const agreedList = (codec: Codec, values: readonly unknown[], merging: Merging) =>
  agreedValue(
    values.map((value) => (value == null ? null : codec.read(value, merging))),
    merging,
  )

/**
 * A list that says nothing where all of it is zero, however long: chains without blobs say it so or not at all. Returned as
 * the zeros on which enough agree, or by no key, for alloy cannot read null in place of a list.
 */
const unlessZero = (codec: Codec): Codec => {
  const itemsOf = (value: unknown, reading: CodecContext) =>
    value == null ? [] : (codec.read(value, reading) as readonly unknown[])
  const read: Codec['read'] = (value, reading) => {
    const items = itemsOf(value, reading)
    return items.every((item) => item === '0x0' || item === 0) ? null : items
  }
  return {
    read,
    merge: (values, merging) =>
      read(values[0], merging) === null ? agreedList(codec, values, merging) : codec.merge(values, merging),
  }
}

const history = record({
  oldestBlock: quantity,
  baseFeePerGas: prices,
  gasUsedRatio: ratios,
  reward: rewards,
  baseFeePerBlobGas: unlessZero(prices),
  blobGasUsedRatio: unlessZero(ratios),
})

/** Where blobs have a market, a price of one wei is a price. */
const ethereum = 1

/**
 * A chain without blobs has no price for them, and its nodes say none, 0 or 1 (the least that EIP-4844's formula gives). That is
 * the same only where no block used a blob. A client that is told 0 could at worst offer too little for a blob that the chain
 * does not take.
 */
function withoutIdlePrices(value: unknown, { chainId }: CodecContext): Readonly<Record<string, unknown>> {
  const given = objectOf(value)
  const { baseFeePerBlobGas: price, blobGasUsedRatio: used } = given
  const isIdle = used == null || (Array.isArray(used) && used.every((share) => share === 0))
  const isLeast = Array.isArray(price) && price.every((each) => each === '0x1')
  if (chainId === ethereum || !isIdle || !isLeast) return given
  return { ...given, baseFeePerBlobGas: price.map(() => '0x0') }
}

export const feeHistory: Codec = {
  read: (value, reading) => history.read(withoutIdlePrices(value, reading), reading),
  merge: (values, merging) => {
    const { baseFeePerBlobGas: price, ...merged } = history.merge(
      values.map((value) => withoutIdlePrices(value, merging)),
      merging,
    ) as Readonly<Record<string, unknown>>
    const isIdle = price === undefined || (price as readonly string[]).every((each) => each === '0x0')
    // Whether it is 0 or 1 is for the quorum to say.
    const agreed = isIdle ? agreedList(prices, values.map(priceOf), merging) : price
    return agreed === undefined ? merged : { ...merged, baseFeePerBlobGas: agreed }
  },
}

const priceOf = (value: unknown) => objectOf(value).baseFeePerBlobGas
