import type { BlockId } from '../events.ts'

/** A header as one node sent it. */
export interface Header extends BlockId {
  readonly parentHash: string
  readonly logsBloom: string
  /** Null where the header names none that can be read. */
  readonly gasLimit: number | null
}

/** An agreed block. What a quorum has not shown of it alike is null: one node's word for a hash is not its word for the rest. */
export interface AgreedBlock extends BlockId {
  readonly parentHash: string | null
  readonly logsBloom: string | null
  readonly gasLimit: number | null
}

/** What one node has shown of the chain lately: hashes by number, and its latest block. */
export interface View {
  readonly latest: () => Header | null
  readonly hashAt: (number: number) => string | null
  /** Takes in a header that the node sent as its latest. */
  readonly saw: (header: Header) => void
  /** Takes in a header at a number that we asked for. */
  readonly looked: (header: Header) => void
}

const blocksKept = 64

export function createView(): View {
  const hashes = new Map<number, string>()
  let latest: Header | null = null

  function keep({ number, hash, parentHash }: Header): void {
    // The node's own newer word counts: after a reorg it tells other hashes for the same numbers.
    hashes.set(number, hash)
    if (number > 0) hashes.set(number - 1, parentHash)
    if (hashes.size <= blocksKept * 2) return
    for (const known of hashes.keys()) if (known < number - blocksKept) hashes.delete(known)
  }

  return {
    latest: () => latest,
    hashAt: (number) => hashes.get(number) ?? null,
    saw(header) {
      // Past blocks that it did not show, its chain may be another one.
      const isNext = hashes.get(header.number - 1) === header.parentHash
      if (!isNext && hashes.get(header.number) !== header.hash) hashes.clear()
      for (const known of hashes.keys()) if (known > header.number) hashes.delete(known)
      latest = header
      keep(header)
    },
    looked: keep,
  }
}

export interface Showing {
  /** The voter's place. */
  readonly voter: number
  readonly view: View
}

/** What all voters have shown, each from when it was first heard. */
export interface Views {
  readonly shown: () => readonly Showing[]
  readonly of: (voter: number) => View
}

export function createViews(): Views {
  const views = new Map<number, View>()
  return {
    shown: () => [...views].map(([voter, view]) => ({ voter, view })),
    of(voter) {
      const view = views.get(voter) ?? createView()
      views.set(voter, view)
      return view
    },
  }
}

/** A block, and who shows it. */
export interface Support {
  readonly block: BlockId
  readonly voters: readonly number[]
}

/** Whose word counts, and for whom. */
interface Voices {
  /** Whether what a voter shows at a number counts. */
  readonly hasSpoken: (voter: number, number: number) => boolean
  /** Its operator's place. */
  readonly operatorOf: (voter: number) => number
}

interface Search extends Voices {
  readonly from: number
  readonly to: number
  readonly isQuorum: (voters: readonly number[]) => boolean
}

/** Who shows which hash at a number. An operator whose nodes show two of them shows none. */
export function shownAt(
  number: number,
  showings: readonly Showing[],
  { hasSpoken, operatorOf }: Voices,
): ReadonlyMap<string, readonly number[]> {
  const byHash = new Map<string, number[]>()
  const hashOf = new Map<number, string>()
  const split = new Set<number>()
  for (const { voter, view } of showings) {
    const hash = view.hashAt(number)
    if (hash === null || !hasSpoken(voter, number)) continue
    byHash.set(hash, [...(byHash.get(hash) ?? []), voter])
    const operator = operatorOf(voter)
    if ((hashOf.get(operator) ?? hash) !== hash) split.add(operator)
    hashOf.set(operator, hash)
  }
  if (split.size === 0) return byHash
  const isLoyal = (voter: number) => !split.has(operatorOf(voter))
  return new Map([...byHash].map(([hash, voters]) => [hash, voters.filter(isLoyal)]))
}

/** Of all blocks between `from` and `to` that a quorum shows, the highest; of two at one number the one with more voters. */
export function highestShown(
  showings: readonly Showing[],
  { from, to, isQuorum, ...voices }: Search,
): Support | null {
  for (let number = to; number >= from; number--) {
    let best: Support | null = null
    for (const [hash, voters] of shownAt(number, showings, voices)) {
      if (isQuorum(voters) && (best === null || voters.length > best.voters.length))
        best = { block: { number, hash }, voters }
    }
    if (best !== null) return best
  }
  return null
}

/** The highest number at which the latest blocks of a quorum stand or which they have passed. */
export function rankedNumber(
  showings: readonly Showing[],
  isQuorum: (voters: readonly number[]) => boolean,
): number | null {
  const sorted = showings.flatMap(({ voter, view }) => {
    const latest = view.latest()
    return latest === null ? [] : [{ voter, number: latest.number }]
  })
  sorted.sort((a, b) => b.number - a.number)
  const reached: number[] = []
  for (const { voter, number } of sorted) {
    reached.push(voter)
    if (isQuorum(reached)) return number
  }
  return null
}
