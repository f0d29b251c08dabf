/** Who was connected when the visitor was last here. For display alone: it authorises nothing. */
export interface Visitor {
  readonly address: `0x${string}`
  readonly chainId: number
  /** One of our wallets' ids, or that of a wallet that announced itself. */
  readonly connectorId: string
  /** The account's ENS name, where it is known. */
  readonly name?: string | undefined
}

export const visitorCookie = 'quorate-wallet'
export const cookieBytesMax = 512
const version = 1
const maxAgeSeconds = 30 * 24 * 60 * 60

/** Ids of the wallets that we list ourselves, in the order of the list. */
export const listedWallets = [
  'injected',
  'safe',
  'rainbow',
  'coinbase',
  'metaMask',
  'walletConnect',
  'brave',
] as const

/** How the id of a wallet that announced itself looks: as EIP-6963 wants it, a domain in reverse. */
export const rdnsShape = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,7}$/

/** The cookie's value; shared with the server's parser by its version alone. */
export function encodeVisitor({ address, chainId, connectorId, name }: Visitor): string {
  return encodeURIComponent(
    JSON.stringify({ v: version, address, chainId, connectorId, ...(name && { name }) }),
  )
}

/** Remembers the visitor for thirty days, in this browser. */
export function rememberVisitor(visitor: Visitor): void {
  writeCookie(encodeVisitor(visitor), maxAgeSeconds)
}

export function forgetVisitor(): void {
  writeCookie('', 0)
}

function writeCookie(value: string, maxAge: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on http and in Firefox.
  document.cookie = cookieOf(value, maxAge, location.protocol === 'https:')
}

/** The same cookie, kept for thirty days from now; for the server, since Safari keeps for seven what a script wrote. */
export function renewedVisitor(visitor: Visitor, secure: boolean): string {
  return cookieOf(encodeVisitor(visitor), maxAgeSeconds, secure)
}

function cookieOf(value: string, maxAge: number, secure: boolean): string {
  return `${visitorCookie}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure ? '; Secure' : ''}`
}
