import type { NodeSnapshot } from '#lib/engine/engine-reads.ts'

/** A node this many blocks behind the agreed head still counts as in sync: a chain with four blocks a second advances while nodes are asked. */
export const inSyncBlocksMax = 5

type Node = Pick<
  NodeSnapshot,
  'name' | 'operator' | 'role' | 'state' | 'votes' | 'dissents' | 'lag' | 'latency'
>

/** A summary of a chain's nodes by operator. Witnesses count only where they dissent: an idle one shows no head. */
export function syncOf(nodes: readonly Node[]) {
  const marked = (mark: ReturnType<typeof markOf>) => nodes.filter((node) => markOf(node) === mark)
  const voting = marked('usable').filter(({ lag }) => lag !== null)
  const [inSync, behind] = [voting.filter(isInSync), voting.filter((node) => !isInSync(node))]
  return {
    /** With a voter. */
    operators: countOperators(nodes.filter((node) => !isWitness(node))),
    inSync: countOperators(inSync),
    /** Null when none has answered yet. */
    p50Ms: median(inSync.flatMap(({ latency }) => latency?.p50Ms ?? [])),
    disagreeing: marked('dissenting').map(({ name }) => name),
    behind: behind.map(({ name }) => name),
  }
}

function isInSync({ lag }: Node): boolean {
  return lag !== null && lag <= inSyncBlocksMax
}

function countOperators(nodes: readonly Node[]): number {
  return new Set(nodes.map(({ operator }) => operator)).size
}

/** The upper median; null when empty. */
function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

/** A single dissent may be chance, for example during a reorg. Above this share of votes it is a pattern. */
const dissentShareMin = 0.01

export function isWitness({ role }: Pick<NodeSnapshot, 'role'>): boolean {
  return role === 'witness'
}

/** A node's label in a table: its state, `dissenting` when it is usable but dissents too often, or `standby` for a usable witness. */
export function markOf({
  role,
  state,
  votes,
  dissents,
}: Pick<NodeSnapshot, 'role' | 'state' | 'votes' | 'dissents'>):
  | NodeSnapshot['state']
  | 'dissenting'
  | 'standby' {
  if (state !== 'usable') return state
  if (dissents > 1 && dissents >= dissentShareMin * votes) return 'dissenting'
  return isWitness({ role }) ? 'standby' : 'usable'
}
