import { CallError } from '../runtime/errors.ts'
import type { RlpItem } from '../wire/rlp.ts'

/** What one field must be; throws CallError `bad-params`. */
type Check = (item: RlpItem, name: string) => void

export type TransactionType = 0 | 1 | 2 | 4

/** The sentence of a refusal, ours from beginning to end. */
export const invalid = (why: string): CallError =>
  new CallError('bad-params', { message: `invalid transaction: ${why}` })

const lengthOf = (hex: string) => hex.length / 2 - 1

const number =
  (bytesMax: number): Check =>
  (item, name) => {
    if (typeof item !== 'string' || lengthOf(item) > bytesMax || item.startsWith('0x00'))
      throw invalid(`${name} must be a number of at most ${bytesMax} bytes without leading zeros`)
  }
const uint64 = number(8)
const uint256 = number(32)

const exactly =
  (...lengths: readonly number[]): Check =>
  (item, name) => {
    if (typeof item !== 'string' || !lengths.includes(lengthOf(item)))
      throw invalid(`${name} must be ${lengths.join(' or ')} bytes`)
  }
const address = exactly(20)
const addressOrNone = exactly(20, 0)

const bytes: Check = (item, name) => {
  if (typeof item !== 'string') throw invalid(`${name} must be bytes`)
}

const each =
  (check: Check): Check =>
  (item, name) => {
    if (typeof item === 'string') throw invalid(`${name} must be a list`)
    for (const member of item) check(member, name)
  }

const tuple =
  (...checks: readonly Check[]): Check =>
  (item, name) => {
    if (typeof item === 'string' || item.length !== checks.length)
      throw invalid(`${name} must hold lists of ${checks.length} fields`)
    for (const [index, check] of checks.entries()) check(item[index] as RlpItem, name)
  }

const accessList = each(tuple(address, each(exactly(32))))
const someAuthorizations: Check = (item, name) => {
  each(tuple(uint256, address, uint64, number(1), uint256, uint256))(item, name)
  if (item.length === 0) throw invalid(`${name} must not be empty`)
}

type Fields = readonly (readonly [name: string, check: Check])[]

const priorityFees: Fields = [
  ['maxPriorityFeePerGas', uint256],
  ['maxFeePerGas', uint256],
]
const gasPrice: Fields = [['gasPrice', uint256]]
const execution = (to: Check): Fields => [
  ['gas', uint64],
  ['to', to],
  ['value', uint256],
  ['data', bytes],
]
const signed = (by: string, check: Check): Fields => [
  [by, check],
  ['r', uint256],
  ['s', uint256],
]
const typed = (fees: Fields, to: Check, more: Fields = []): Fields => [
  ['chainId', uint256],
  ['nonce', uint64],
  ...fees,
  ...execution(to),
  ['accessList', accessList],
  ...more,
  ...signed('yParity', number(1)),
]

/** The fields in the order in which they travel: yellow paper, EIP-2930, EIP-1559, EIP-7702. */
const layouts: Readonly<Record<TransactionType, Fields>> = {
  0: [['nonce', uint64], ...gasPrice, ...execution(addressOrNone), ...signed('v', uint256)],
  1: typed(gasPrice, addressOrNone),
  2: typed(priorityFees, addressOrNone),
  4: typed(priorityFees, address, [['authorizationList', someAuthorizations]]),
}

/** The type of a transaction by its first byte; a legacy one begins with a list. */
export function typeOf(byte: number): TransactionType {
  if (byte >= 0xc0) return 0
  if (byte === 3) throw new CallError('bad-params', { message: 'blob transactions are not supported' })
  if (byte !== 1 && byte !== 2 && byte !== 4) throw invalid('its type is not supported')
  return byte
}

/** Holds every field against what the type says of it. */
export function checkFields(type: TransactionType, items: readonly RlpItem[]): void {
  const fields = layouts[type]
  if (items.length !== fields.length) throw invalid(`it must have ${fields.length} fields`)
  for (const [index, [name, check]] of fields.entries()) check(items[index] as RlpItem, name)
}

/** The number that a checked field holds. */
export function numberIn(item: RlpItem | undefined): bigint {
  return BigInt(item === '0x' ? 0 : String(item))
}
