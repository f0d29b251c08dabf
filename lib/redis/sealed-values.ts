import type { HostCounts } from '../observe/host-counts.ts'
import { parseJson } from '../parse-json.ts'
import type { RedisLink } from './redis-client.ts'
import type { Seal } from './sealed-text.ts'

type Kind = 'session' | 'history' | 'usage' | 'scorecard'

/** Values that are kept in Redis: each opens only under the kind and key that it was sealed for. What does not is counted and dropped. */
export interface SealedValues {
  readonly close: (kind: Kind, key: string, value: unknown) => string
  /** Null where it was not sealed for this key. */
  readonly open: (kind: Kind, key: string, sealed: string) => unknown
}

/** What stores in Redis have in common. */
export interface StoreOptions {
  readonly redis: RedisLink
  readonly values: SealedValues
  readonly now: () => number
}

/** A store that writes by itself, now and then. */
export interface RunningStore {
  /** Stores what is left. */
  readonly close: () => Promise<void>
}

export function createSealedValues(seal: Seal, counts: Pick<HostCounts, 'counter'>): SealedValues {
  const kinds: readonly Kind[] = ['session', 'history', 'usage', 'scorecard']
  const drop = counts.counter('redis_values_dropped_total', 'kind', kinds)
  return {
    close: (kind, key, value) => seal.close([kind, key], JSON.stringify(value)),
    open(kind, key, sealed) {
      const text = seal.open([kind, key], sealed)
      if (text === null) drop(kind)
      return text === null ? null : parseJson(text)
    },
  }
}
