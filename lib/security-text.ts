const dayMs = 86_400_000
/** RFC 9116 recommends less than a year. A file that is made for each request stays good for so long after it was read. */
const goodForDays = 90

export interface SecurityTextOptions {
  readonly contact: string
  /** APP_ORIGIN, where it is set. */
  readonly site: string | null
  readonly nowMs: number
}

/** `security.txt` as RFC 9116 has it: lines of fields, ended by CRLF. */
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
