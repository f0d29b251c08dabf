import { type Codec, raise } from './codecs.ts'

const depthMax = 32

/** JSON of no type of ours: keys sorted, all else as it is. */
export const json: Codec = { read: (value) => sorted(value, 0), merge: (values) => sorted(values[0], 0) }

function sorted(value: unknown, depth: number): unknown {
  if (depth > depthMax) raise()
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [key, sorted(member, depth + 1)] as const)
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)))
}
