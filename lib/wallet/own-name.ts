import { isRecord } from '../parse-json.ts'
import { cookieBytesMax, encodeVisitor, rememberVisitor, type Visitor, visitorCookie } from './visitor.ts'

/** Letters, digits, hyphens, underscores and signs: the name is shown on the page, before anything else of it was looked up. */
export const nameShape =
  /^[\p{L}\p{N}\p{M}\p{RI}\p{Extended_Pictographic}_-]+(\.[\p{L}\p{N}\p{M}\p{RI}\p{Extended_Pictographic}_-]+)+$/u
export const nameCharsMax = 128

/**
 * Reads the name of the visitor's account on a chain and writes it into the cookie, for the HTML of the next page; empty where there is
 * none, and for one that the cookie would not hold.
 */
export async function readOwnName(address: `0x${string}`, chainId: number): Promise<string> {
  const response = await fetch(`/api/names?${new URLSearchParams({ address, chain: String(chainId) })}`)
  const body: unknown = await response.json()
  if (!isRecord(body) || !('name' in body))
    throw new Error(`no name: ${response.status}`, { cause: isRecord(body) && body.why })
  const found = typeof body.name === 'string' ? body.name : ''
  const visitor = visitorIn(document.cookie)
  const named = { ...visitor, name: found || undefined, nameReadMs: Date.now() } as Visitor
  const fits =
    found.length <= nameCharsMax && nameShape.test(found) && encodeVisitor(named).length <= cookieBytesMax
  const next = fits ? named : { ...named, name: undefined }
  if (visitor?.address === address && visitor.chainId === chainId) rememberVisitor(next)
  return next.name ?? ''
}

function visitorIn(cookies: string): Partial<Visitor> | null {
  const [, value] = new RegExp(`(?:^|; )${visitorCookie}=([^;]*)`).exec(cookies) ?? []
  try {
    const { v: _, ...visitor } = JSON.parse(decodeURIComponent(value ?? ''))
    return visitor
  } catch {
    return null
  }
}
