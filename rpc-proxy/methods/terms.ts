import { hexOf } from './block-ref.ts'
import { mapOf } from './overrides.ts'
import { fail, list, readAddress, readQuantity, slot, term } from './params.ts'

const keysMax = 256
const slotsMax = 1024
const blocksMax = 1024
const percentilesMax = 100

/** Storage keys of eth_getProof, in the order asked. */
export const proofKeys = list(slot, { max: keysMax, of: 'storage keys' })

/** Slots to read, by account: the params of eth_getStorageValues, bounded as every client bounds them. */
export const slotsByAccount = mapOf(readAddress, list(slot, { max: slotsMax, of: 'storage slots' }), {
  max: slotsMax,
  of: 'accounts',
}).transform((accounts, context) => {
  const count = Object.values(accounts).reduce((sum, slots) => sum + slots.length, 0)
  if (count === 0) return fail(context, accounts, 'empty request')
  return count > slotsMax ? fail(context, accounts, `too many slots (max ${slotsMax})`) : accounts
})

/** A count of blocks: a quantity, or a number or decimal text, as geth reads it. */
export const blockCount = term(`a count of blocks from 1 to ${blocksMax}`, (value) => {
  const count = readCount(value)
  return Number.isInteger(count) && count >= 1 && count <= blocksMax ? hexOf(count) : undefined
})

function readCount(value: unknown): number {
  return typeof value === 'string' && /^[0-9]{1,4}$/.test(value) ? Number(value) : readNumber(value)
}

/** A number, or a quantity. */
function readNumber(value: unknown): number {
  return typeof value === 'number' ? value : Number(readQuantity(value, 16) ?? Number.NaN)
}

/** Percentiles of rewards, ascending. None at all is an empty list. */
export const percentiles = term(`at most ${percentilesMax} numbers from 0 to 100, ascending`, (value) => {
  const given = value ?? []
  if (!Array.isArray(given) || given.length > percentilesMax) return
  for (const [index, percentile] of given.entries()) {
    if (typeof percentile !== 'number' || !(percentile >= 0 && percentile <= 100)) return
    if (index > 0 && percentile <= given[index - 1]) return
  }
  return given.map((percentile: number) => percentile + 0)
})

const waitMsDefault = 2_000
const waitMsMax = 30_000

/** How long eth_sendRawTransactionSync waits for a receipt (EIP-7966): milliseconds as a number or a quantity, at most `waitMsMax`. */
export const waitMs = term('a number of milliseconds', (value) => {
  if (value === undefined) return waitMsDefault
  const ms = readNumber(value)
  if (!Number.isInteger(ms) || ms < 0) return
  return ms === 0 ? waitMsDefault : Math.min(ms, waitMsMax)
})

/** A filter's id as we gave it: hex text. */
export const filterId = term('the id of a filter', (value) =>
  typeof value === 'string' && /^0x[0-9a-f]{1,64}$/.test(value) ? value : undefined,
)
