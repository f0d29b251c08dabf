import type { Series } from '#rpc-proxy'
import { Counter } from '../observe/counter.ts'
import { parseJson } from '../parse-json.ts'
import type { Seal } from './sealed-text.ts'

type Kind = 'session' | 'history' | 'usage' | 'scorecard'

/** Values that are kept in Redis: each opens only under the kind and key that it was sealed for. What does not is counted and dropped. */
export interface SealedValues {
  readonly close: (kind: Kind, key: string, value: unknown) => string
  /** Null where it was not sealed for this key. */
  readonly open: (kind: Kind, key: string, sealed: string) => unknown
  readonly series: () => readonly Series<number>[]
}

/** What stores in Redis have in common. */
export interface StoreOptions {
  readonly values: SealedValues
  readonly now: () => number
  /** Told of each command that fails. */
  readonly onRejected?: (cause: unknown) => void
}

export function createSealedValues(seal: Seal): SealedValues {
  const dropped = new Counter<Kind>('redis_values_dropped_total', 'kind', [
    'session',
    'history',
    'usage',
    'scorecard',
  ])
  return {
    close: (kind, key, value) => seal.close([kind, key], JSON.stringify(value)),
    open(kind, key, sealed) {
      const text = seal.open([kind, key], sealed)
      if (text === null) dropped.add(kind)
      return text === null ? null : parseJson(text)
    },
    series: () => dropped.series(),
  }
}
