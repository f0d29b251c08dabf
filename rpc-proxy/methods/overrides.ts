import { z } from 'zod'
import {
  address,
  data,
  fail,
  preview,
  quantity,
  readAddress,
  readHash,
  slot,
  strictFields,
  term,
  uint64,
} from './params.ts'

const accountsMax = 64
const slotsMax = 1024

/** An object used as a map: keys in canonical form and sorted, so that two spellings of one map are one text. */
export function mapOf<Item extends z.ZodType>(
  readKey: (value: unknown) => string | undefined,
  item: Item,
  { max, of }: { max: number; of: string },
) {
  return z.transform<unknown, Readonly<Record<string, z.output<Item>>>>((value, context) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return fail(context, value, `want an object, got ${preview(value)}`)
    const entries = Object.entries(value)
    if (entries.length > max) return fail(context, value, `want at most ${max} ${of}`)
    const rows = new Map<string, z.output<Item>>()
    for (const [given, member] of entries) {
      const key = readKey(given)
      if (key === undefined) return fail(context, value, `${preview(given)} is not a key of ${of}`)
      if (rows.has(key)) return fail(context, value, `${key} stands twice`)
      const result = item.safeParse(member)
      if (result.success) rows.set(key, result.data)
      else
        for (const issue of result.error.issues)
          context.issues.push({ ...issue, input: member, path: [key, ...issue.path] } as z.core.$ZodRawIssue)
    }
    return Object.fromEntries([...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

const word = term('0x and 64 hex digits', readHash)
const slots = mapOf(readHash, word, { max: slotsMax, of: 'storage slots' })

const account = strictFields({
  nonce: uint64.optional(),
  code: data.optional(),
  balance: quantity.optional(),
  state: slots.optional(),
  stateDiff: slots.optional(),
  movePrecompileToAddress: address.optional(),
})

type Account = z.output<typeof account>

/** Accounts as a call is to see them. An empty map is no map. */
export const stateOverrides = mapOf(readAddress, account, { max: accountsMax, of: 'accounts' }).transform(
  (accounts, context) => {
    const rows = Object.values(accounts)
    if (rows.some(({ state, stateDiff }) => state !== undefined && stateDiff !== undefined))
      return fail(context, accounts, 'an account has both "state" and "stateDiff"')
    if (slotsOf(rows) > slotsMax) return fail(context, accounts, `want at most ${slotsMax} storage slots`)
    return rows.length === 0 ? undefined : accounts
  },
)

/** Storage slots that these accounts override, for bounds over several maps. */
export function slotsOf(accounts: readonly Account[]): number {
  let count = 0
  for (const { state, stateDiff } of accounts)
    count += Object.keys(state ?? {}).length + Object.keys(stateDiff ?? {}).length
  return count
}

/** The block as a call is to see it. Withdrawals and the beacon root are not taken; geth refuses them in eth_call too. */
export const blockOverrides = strictFields({
  number: quantity.optional(),
  difficulty: quantity.optional(),
  time: uint64.optional(),
  gasLimit: uint64.optional(),
  feeRecipient: address.optional(),
  // A word in geth, a quantity in viem: the word is what all of them read.
  prevRandao: slot.optional(),
  baseFeePerGas: quantity.optional(),
  blobBaseFee: quantity.optional(),
}).transform((block) => (Object.keys(block).length === 0 ? undefined : block))
