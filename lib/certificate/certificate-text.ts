import { isRecord, parseJson } from '../parse-json.ts'

/** The value of a JSON text; undefined where it is none, or has a member twice, of which readers take one or the other. */
export function parseCertificate(text: string): unknown {
  const value = parseJson(text)
  const strings = [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)]
  return strings.filter(([, colon]) => colon === ':').length === membersIn(value) ? value : undefined
}

function membersIn(value: unknown): number {
  const members = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []
  const own = Array.isArray(value) ? 0 : members.length
  return members.reduce((sum: number, member) => sum + membersIn(member), own)
}
