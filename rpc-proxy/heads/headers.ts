import type { BlockId } from '../events.ts'
import type { AgreedBlock, Header } from './views.ts'

/** The headers that a look has brought, and who sent each. */
export interface Headers {
  readonly add: (voter: number, header: Header) => void
  /** The block with all that a quorum has shown alike. */
  readonly agreed: (block: BlockId, isQuorum: (voters: readonly number[]) => boolean) => AgreedBlock
}

/** What one look has brought so far. */
export interface Look {
  readonly headers: Headers
  readonly asked: readonly number[]
  /** All that may be asked. */
  readonly votersCount: number
  /** Voters who have spoken in it, each with the highest block that it has spoken of. */
  readonly heard: Map<number, number>
  /** Voters that have stalled on the way back: the next step does not wait for them. */
  readonly silent: Set<number>
  readonly endMs: number
  /** All voters have been asked, and each has replied or stalled. */
  isComplete: boolean
}

export function createHeaders(): Headers {
  const sent: { readonly voter: number; readonly header: Header }[] = []
  return {
    add(voter, header) {
      sent.push({ voter, header })
    },
    agreed({ number, hash }, isQuorum) {
      const same = sent.filter(({ header }) => header.hash === hash && header.number === number)
      const shared = <Key extends 'parentHash' | 'logsBloom' | 'gasLimit'>(key: Key): Header[Key] | null =>
        same.find(({ header }) =>
          isQuorum(same.filter((other) => other.header[key] === header[key]).map(({ voter }) => voter)),
        )?.header[key] ?? null
      return {
        number,
        hash,
        parentHash: shared('parentHash'),
        logsBloom: shared('logsBloom'),
        gasLimit: shared('gasLimit'),
      }
    },
  }
}
