import { type Codec, type Merging, malformed, objectOf, raise } from './codecs.ts'

export type Fields = Readonly<Record<string, Codec>>
type Loose = (object: Readonly<Record<string, unknown>>, chainId: number) => ReadonlySet<string>
const none: ReadonlySet<string> = new Set()

/** Fields of its own that a node may add to an object. Each costs time, whether or not nodes agree on it. */
const unlistedMax = 64

/**
 * An object compared on these fields and no others. Fields that are not listed, at most 64, and those that `loose` names,
 * are returned only where enough of the group has the same for them.
 */
export function record(fields: Fields, loose: Loose = () => none): Codec {
  const names = Object.keys(fields)
  return {
    read: (value, reading) => {
      const object = objectOf(value)
      if (Object.keys(object).length > names.length + unlistedMax) throw malformed
      const free = loose(object, reading.chainId)
      const read: Record<string, unknown> = {}
      for (const name of names) {
        const value = free.has(name) ? undefined : fields[name]?.read(object[name], reading)
        if (value !== undefined) read[name] = value
      }
      return read
    },
    merge: (values, merging) => {
      const versions = values.map(objectOf)
      const free = loose(versions[0] ?? {}, merging.chainId)
      const merged: Record<string, unknown> = {}
      for (const name of names) {
        const members = versions.map((version) => version[name])
        const isSent = fields[name]?.isAlwaysWritten || members.some((value) => value !== undefined)
        if (free.has(name) || !isSent) continue
        const value = fields[name]?.merge(members, merging)
        if (value !== undefined) merged[name] = value
      }
      const isFree = (name: string) => free.has(name) || !Object.hasOwn(fields, name)
      return Object.assign(merged, agreedFields(versions, merging, isFree))
    },
  }
}

/** Of the fields that `isFree` names, those that enough of the versions have alike. */
export function agreedFields(
  versions: readonly Readonly<Record<string, unknown>>[],
  merging: Merging,
  isFree = (_name: string) => true,
): Readonly<Record<string, unknown>> {
  const agreed: Record<string, unknown> = {}
  for (const name of new Set(versions.flatMap((version) => Object.keys(version)))) {
    if (name === '__proto__' || !isFree(name)) continue
    const members = versions.map((version) => (Object.hasOwn(version, name) ? version[name] : undefined))
    const value = agreedValue(members, merging)
    if (value !== undefined) agreed[name] = value
  }
  return agreed
}

/** The first of the values that enough have alike; undefined where there is none, and for null, which says as much as no key. */
export function agreedValue(values: readonly unknown[], { agree }: Pick<Merging, 'agree'>): unknown {
  const places = new Map<string, number[]>()
  for (const [index, value] of values.entries()) {
    const text = value == null ? undefined : looseText(value)
    if (text === undefined) continue
    const same = places.get(text)
    if (same === undefined) places.set(text, [index])
    else same.push(index)
  }
  const enough = [...places.values()].find(agree)
  return enough === undefined ? undefined : values[enough[0] ?? 0]
}

/** A field that groups may be joined without: returned where all or enough have it alike. */
export function joinable({ read, merge }: Codec): Codec {
  return {
    read,
    merge: (values, merging) => {
      const canonical = values.map((value) => read(value, merging))
      return canonical.every((value) => value === canonical[0])
        ? merge(values, merging)
        : agreedValue(canonical, merging)
    },
  }
}

/** Text that depends neither on the order of keys nor on the case of hex; undefined for what is nested too deep to be written. */
function looseText(value: unknown): string | undefined {
  if (typeof value !== 'object') return JSON.stringify(lowered(value))
  try {
    return JSON.stringify(sorted(value, 0), (_, leaf: unknown) => lowered(leaf))
  } catch {
    return
  }
}

const lowered = (leaf: unknown) =>
  typeof leaf === 'string' && leaf.startsWith('0x') ? leaf.toLowerCase() : leaf

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
