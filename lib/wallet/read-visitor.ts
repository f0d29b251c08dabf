import { type Address, checksumAddress, isAddress } from 'viem'
import { z } from 'zod'
import { wallets } from '#site'
import { nameCharsMax, nameShape } from './own-name.ts'
import { cookieBytesMax, isChainId, rdnsShape, type Visitor } from './visitor.ts'

z.config({ jitless: true })

const cookie = z.strictObject({
  v: z.literal(1),
  address: z.custom<Address>(isChecksummed),
  chainId: z.custom<number>(isChainId),
  connectorId: z.union([z.enum(wallets), z.string().regex(rdnsShape)]),
  name: z.string().max(nameCharsMax).regex(nameShape).optional(),
  nameReadMs: z.int().positive().optional(),
})

/** Parses our cookie as untrusted input; null for anything that we would not have written. */
export function readVisitor(value: string | undefined): Visitor | null {
  if (!value || value.length > cookieBytesMax) return null
  const parsed = cookie.safeParse(parse(value))
  if (!parsed.success) return null
  const { address, chainId, connectorId, name, nameReadMs } = parsed.data
  return { address, chainId, connectorId, ...(name && { name }), ...(nameReadMs && { nameReadMs }) }
}

function isChecksummed(value: unknown): boolean {
  return typeof value === 'string' && isAddress(value, { strict: false }) && checksumAddress(value) === value
}

// Next decodes a cookie's value once. If that fails, the value arrives encoded.
function parse(value: string): unknown {
  try {
    return JSON.parse(value.startsWith('%7B') ? decodeURIComponent(value) : value)
  } catch {
    return undefined
  }
}
