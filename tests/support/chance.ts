/** A seeded random generator: the same seed gives the same sequence. */
export interface Chance {
  /** A number in [0, 1). */
  readonly next: () => number
  /** An integer in [0, below). */
  readonly int: (below: number) => number
  /** An integer in [from, to]. */
  readonly between: (from: number, to: number) => number
  readonly roll: (share: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
  /** Picks a value by weight. */
  readonly weighted: <Item>(rows: readonly (readonly [weight: number, item: Item])[]) => Item
}

/** sfc32, with enough initial draws to separate neighbouring seeds. */
export function createChance(seed: number): Chance {
  let a = seed | 0
  let b = Math.imul(seed, 0x9e3779b1) | 0
  let c = 0x2545f491
  let counter = 1

  function next(): number {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return (sum >>> 0) / 4_294_967_296
  }
  for (let warmup = 0; warmup < 12; warmup++) next()

  const int = (below: number) => Math.floor(next() * below)
  return {
    next,
    int,
    between: (from, to) => from + int(to - from + 1),
    roll: (share) => next() < share,
    pick: (items) => items[int(items.length)] as (typeof items)[number],
    weighted(rows) {
      let left = next() * rows.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, item] of rows) {
        left -= weight
        if (left < 0) return item
      }
      return (rows.at(-1) as (typeof rows)[number])[1]
    },
  }
}

/** A salted 32-bit hash of a text (FNV-1a, then the murmur3 finalizer). */
export function hash32(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** `digits` hex digits derived from a text. */
export function hexDigits(text: string, digits: number): string {
  let hex = ''
  for (let salt = 0; hex.length < digits; salt++) hex += hash32(text, salt).toString(16).padStart(8, '0')
  return hex.slice(0, digits)
}
