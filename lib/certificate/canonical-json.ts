type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/**
 * The one text of a JSON value: RFC 8785. Members in the order of their names' UTF-16 code units, no white space, strings and numbers
 * as ECMAScript writes them.
 */
export function canonicalJson(value: unknown): string {
  return write(value as Json)
}

function write(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`
}
