/**
 * Values of a cookie in a `Cookie` header, in their order: a browser may hold several of one name. Nothing
 * but spaces and tabs may stand before a name: with other white space a browser does not know a `__Host-` name as one.
 */
export function cookieValues(header: string, name: string): string[] {
  return header.split(/;[ \t]*/).flatMap((part) => {
    const at = part.indexOf('=')
    return at !== -1 && part.slice(0, at) === name ? [part.slice(at + 1)] : []
  })
}

/** Browsers take a `__Host-` name from https alone, and from no other host. */
export function hostCookieName(name: string, secure: boolean): string {
  return `${secure ? '__Host-' : ''}${name}`
}

export interface CookieOptions {
  readonly maxAgeS: number
  readonly secure: boolean
  readonly sameSite: 'Strict' | 'Lax'
}

/** `Set-Cookie` of a cookie that no script can read. */
export function httpOnlyCookie(
  name: string,
  value: string,
  { maxAgeS, secure, sameSite }: CookieOptions,
): string {
  const attributes = `Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
  return `${hostCookieName(name, secure)}=${value}; ${attributes}`
}
