import { bytesToHex } from '@noble/hashes/utils.js'
import type { BlockId } from '../events/evidence-types.ts'
import type { LogFilter } from '../methods/log-filter.ts'
import type { Clock } from '../runtime/clock.ts'
import { CallError } from '../runtime/errors.ts'
import { begin, bytesOf, last, type Trail } from './filter-position.ts'

export interface FiltersOptions {
  readonly clock: Clock
  /** Fills with unpredictable bytes: the id is all that it takes to read a filter. */
  readonly randomBytes: (bytes: Uint8Array) => Uint8Array
  readonly filtersMax?: number
  /** Filters of one caller, so that a few callers cannot take all the room. */
  readonly perCallerMax?: number
  /** Estimated memory of all filters. */
  readonly bytesMax?: number
  readonly idleMsMax?: number
}

/** Logs of this definition, blocks, or pending transactions: no quorum agrees on those, so there are never any. */
export type Watched = LogFilter | 'blocks' | 'pending'

interface Definition {
  readonly chainId: number
  readonly caller: string | null
  readonly watched: Watched
}

export interface Filter extends Definition {
  readonly id: string
  readonly definitionBytes: number
  trail: Trail
  trailBytes: number
  usedMs: number
  /** Polls that returned anything. */
  tellings: number
  /** The poll under way: two at the same time would return the same changes twice. */
  polling: Promise<unknown>
}

/** The filters of one caller take at most this part of all bytes, so that at least as many callers have room. */
const callersMin = 16

/** The filters of all callers, bounded in number, bytes and idle time. */
export class FilterStore {
  readonly #limits: Required<FiltersOptions>
  // A map keeps the order of insertion, which is made the order of the last use.
  readonly #filters = new Map<string, Filter>()
  #bytes = 0

  constructor(options: FiltersOptions) {
    this.#limits = {
      filtersMax: 10_000,
      perCallerMax: 100,
      bytesMax: 67_108_864,
      idleMsMax: 300_000,
      ...options,
    }
  }

  /** Adds a filter whose changes begin after this block, and returns its id. */
  add(definition: Definition, head: BlockId): string {
    const { clock, randomBytes, filtersMax, perCallerMax, bytesMax, idleMsMax } = this.#limits
    const trail = begin(head)
    const definitionBytes = bytesOf(definition.watched)
    const trailBytes = bytesOf(trail)
    this.#dropIdle()
    if (this.#filters.size >= filtersMax || this.#bytes + definitionBytes + trailBytes > bytesMax)
      throw new CallError('overloaded', { retryAfterMs: idleMsMax })
    const own = this.#filtersOf(definition.caller)
    const ownBytes = own.reduce((sum, filter) => sum + filter.definitionBytes, definitionBytes)
    if (own.length >= perCallerMax || (own.length > 0 && ownBytes > bytesMax / callersMin))
      throw new CallError('too-many-requests', { message: 'too many filters', retryAfterMs: idleMsMax })
    const id = newId(randomBytes)
    this.#filters.set(id, {
      ...definition,
      id,
      definitionBytes,
      trail,
      trailBytes,
      usedMs: clock.now(),
      tellings: 0,
      polling: Promise.resolve(),
    })
    this.#bytes += definitionBytes + trailBytes
    return id
  }

  /** The filter, marked as used now. Throws `filter-not-found`. */
  use(id: string, chainId: number): Filter {
    const filter = this.#find(id, chainId)
    if (filter === undefined) throw new CallError('filter-not-found')
    filter.usedMs = this.#limits.clock.now()
    this.#filters.delete(id)
    this.#filters.set(id, filter)
    return filter
  }

  /** False when there is no such filter. */
  remove(id: string, chainId: number): boolean {
    const filter = this.#find(id, chainId)
    if (filter !== undefined) this.#drop(filter)
    return filter !== undefined
  }

  /** Moves a filter to this trail, unless it has been removed. */
  advance(filter: Filter, polled: Trail): void {
    if (this.#filters.get(filter.id) !== filter) return
    const hasRoom = this.#bytes - filter.trailBytes + bytesOf(polled) <= this.#limits.bytesMax
    // Without room only the end of the trail is kept: a reorg then removes no logs, and no new logs are missed.
    const trail = hasRoom ? polled : begin(last(polled))
    const trailBytes = bytesOf(trail)
    this.#bytes += trailBytes - filter.trailBytes
    filter.trail = trail
    filter.trailBytes = trailBytes
  }

  #find(id: string, chainId: number): Filter | undefined {
    this.#dropIdle()
    const filter = this.#filters.get(id)
    return filter?.chainId === chainId ? filter : undefined
  }

  #filtersOf(caller: string | null): readonly Filter[] {
    return caller === null ? [] : [...this.#filters.values()].filter((filter) => filter.caller === caller)
  }

  #dropIdle(): void {
    const { clock, idleMsMax } = this.#limits
    for (const filter of this.#filters.values()) {
      if (clock.now() - filter.usedMs <= idleMsMax) return
      this.#drop(filter)
    }
  }

  #drop({ id, definitionBytes, trailBytes }: Filter): void {
    this.#bytes -= definitionBytes + trailBytes
    this.#filters.delete(id)
  }
}

/** An id that nobody guesses. */
export const newId = (randomBytes: FiltersOptions['randomBytes']): string =>
  `0x${bytesToHex(randomBytes(new Uint8Array(16)))}`
