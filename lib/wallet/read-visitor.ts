import { type Address, checksumAddress, isAddress } from 'viem'
import { z } from 'zod'
import { cookieBytesMax, listedWallets, rdnsShape, type Visitor } from './visitor.ts'

z.config({ jitless: true })

const cookie = z.strictObject({
  v: z.literal(1),
  address: z.custom<Address>(isChecksummed),
  chainId: z.int().positive(),
  connectorId: z.union([z.enum(listedWallets), z.string().regex(rdnsShape)]),
  // Letters, digits, hyphens and dots: a name stands in the page as it is, so there is nothing in it but a name.
  name: z
    .string()
    .max(128)
    .regex(/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u)
    .optional(),
})

/** Reads our cookie as hostile text: null for whatever is not exactly what we write. */
export function readVisitor(value: string | undefined): Visitor | null {
  if (!value || value.length > cookieBytesMax) return null
  const parsed = cookie.safeParse(parse(value))
  if (!parsed.success) return null
  const { address, chainId, connectorId, name } = parsed.data
  return { address, chainId, connectorId, ...(name && { name }) }
}

function isChecksummed(value: unknown): boolean {
  return typeof value === 'string' && isAddress(value, { strict: false }) && checksumAddress(value) === value
}

// Next decodes a cookie's value once; a value that it could not decode arrives as it was sent.
function parse(value: string): unknown {
  try {
    return JSON.parse(value.startsWith('%7B') ? decodeURIComponent(value) : value)
  } catch {
    return undefined
  }
}
