import type { Evidence, GroupRecord } from '../events/events.ts'

/** The result that is made of several, and its text. */
interface Whole extends Pick<Evidence, 'id' | 'method' | 'params'> {
  readonly text: string
}

/** The evidence of a result that several proofs at one block make up: it is as weak as the weakest of them. */
export function joinedEvidence({ text, ...whole }: Whole, parts: readonly Evidence[]): Evidence {
  const weakest = parts.reduce((one, other) => (other.agreed < one.agreed ? other : one))
  const [group] = weakest.groups as readonly [GroupRecord]
  const nodes = new Set(parts.flatMap(({ groups }) => groups[0]?.nodes ?? []))
  return {
    ...weakest,
    ...whole,
    isThin: parts.some(({ isThin }) => isThin),
    startMs: Math.min(...parts.map(({ startMs }) => startMs)),
    endMs: Math.max(...parts.map(({ endMs }) => endMs)),
    requests: parts.flatMap(({ requests }) => requests),
    groups: [{ ...group, nodes: [...nodes], text }],
  }
}
