const dayMs = 86_400_000
/** RFC 9116 recommends less than a year. The file is generated per request. */
const goodForDays = 90

export interface SecurityTextOptions {
  readonly contact: string
  /** APP_ORIGIN, if set. */
  readonly site: string | null
  readonly nowMs: number
}

/** `security.txt` as in RFC 9116: one field per line, with CRLF. */
export function securityText({ contact, site, nowMs }: SecurityTextOptions): string {
  const expires = new Date(Math.ceil(nowMs / dayMs + goodForDays) * dayMs).toISOString()
  return [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    ...(site === null ? [] : [`Canonical: ${site}/.well-known/security.txt`]),
  ]
    .map((line) => `${line}\r\n`)
    .join('')
}
