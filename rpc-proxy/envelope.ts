export function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json[ \t]*(;|$)/i.test(contentType.trim())
}

/** The chain that a path names; null where it names none. */
export function chainIdOf(path: string): number | null {
  const text = /\/([1-9]\d{0,15})\/?$/.exec(path)?.[1]
  return text === undefined ? null : Number(text)
}

/** W3C Trace Context, version 00; any other is not ours to continue. */
export function traceparentOf(read: (name: string) => string | null): string | null {
  const text = read('traceparent')
  return text !== null && /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.test(text)
    ? text
    : null
}
