/** The last connected wallet. For display only: it authorises nothing. */
export interface Visitor {
  readonly address: `0x${string}`
  readonly chainId: number
  /** The id of a listed wallet or of an announced one. */
  readonly connectorId: string
  /** The account's ENS name, if known. */
  readonly name?: string | undefined
  /** When the name was looked up, found or not. */
  readonly nameReadMs?: number | undefined
}

export const visitorCookie = 'quorate-wallet'
export const cookieBytesMax = 512
const version = 1
const maxAgeSeconds = 30 * 24 * 60 * 60

/** The id of an announced wallet: a reverse domain name, as EIP-6963 requires. */
export const rdnsShape = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,7}$/

/** Whether a chain can have this id. Larger ones are exact neither in a number nor in JSON. */
export function isChainId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}

/** The cookie's value. Its version must match the server's parser in read-visitor.ts. */
export function encodeVisitor({ address, chainId, connectorId, name, nameReadMs }: Visitor): string {
  // What is undefined is left out.
  return encodeURIComponent(
    JSON.stringify({ v: version, address, chainId, connectorId, name: name || undefined, nameReadMs }),
  )
}

/** The query of an account's name on a chain. */
export const ownNameKey = (address: string | undefined, chainId: number | undefined) => [
  'own-name',
  address,
  chainId,
]

/** Remembers the visitor in this browser for thirty days. What the server would not accept is not written. */
export function rememberVisitor(visitor: Visitor): void {
  const { address, chainId } = visitor
  if (typeof address !== 'string' || !/^0x[0-9a-f]{40}$/i.test(address) || !isChainId(chainId)) return
  writeCookie(encodeVisitor(visitor), maxAgeSeconds)
}

/** Whether this browser remembers a visitor. Another tab may have forgotten it. */
export function hasVisitor(): boolean {
  return document.cookie.includes(`${visitorCookie}=`)
}

export function forgetVisitor(): void {
  writeCookie('', 0)
}

function writeCookie(value: string, maxAge: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on http and in Firefox.
  document.cookie = cookieOf(value, maxAge, location.protocol === 'https:')
}

/** The same cookie, set by the server: Safari keeps a cookie set by a script for only seven days. */
export function renewedVisitor(visitor: Visitor, secure: boolean): string {
  return cookieOf(encodeVisitor(visitor), maxAgeSeconds, secure)
}

function cookieOf(value: string, maxAge: number, secure: boolean): string {
  return `${visitorCookie}=${value}; Path=/; Max-Age=${maxAge}; SameSite=Lax${secure ? '; Secure' : ''}`
}
