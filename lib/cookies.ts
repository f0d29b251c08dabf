/**
 * All values of a cookie in a `Cookie` header, in order: a browser may have several of one name. Only spaces and tabs are skipped
 * before a name. With other white space the browser does not recognize, and protect, a `__Host-` name.
 */
export function cookieValues(header: string, name: string): string[] {
  return header.split(/;[ \t]*/).flatMap((part) => {
    const at = part.indexOf('=')
    return at !== -1 && part.slice(0, at) === name ? [part.slice(at + 1)] : []
  })
}

/** Browsers accept `__Host-` cookies only over https and only from the host itself. */
export function hostCookieName(name: string, secure: boolean): string {
  return `${secure ? '__Host-' : ''}${name}`
}

export interface CookieOptions {
  readonly maxAgeS: number
  readonly secure: boolean
  readonly sameSite: 'Strict' | 'Lax'
}

/** `Set-Cookie` with HttpOnly. */
export function httpOnlyCookie(
  name: string,
  value: string,
  { maxAgeS, secure, sameSite }: CookieOptions,
): string {
  const attributes = `Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
  return `${hostCookieName(name, secure)}=${value}; ${attributes}`
}
