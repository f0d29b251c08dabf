import type { Clock } from '../clock.ts'
import { CallError } from '../errors.ts'
import type { LogFilter } from '../methods/log-filter.ts'
import { type Changes, type FilterChain, pollBlocks, pollLogs } from './poll.ts'
import { nothingNew } from './telling.ts'
import { begin, bytesOf, last, type Trail } from './trail.ts'

export interface FiltersOptions {
  readonly clock: Clock
  /** Fills with unpredictable bytes: a filter's id is all that it takes to read it. */
  readonly randomBytes: (bytes: Uint8Array) => Uint8Array
  readonly filtersMax?: number
  /** Filters of one caller, or a few could leave no room for anybody else. */
  readonly perCallerMax?: number
  /** Estimated memory of all filters. */
  readonly bytesMax?: number
  readonly idleMsMax?: number
}

/** A result's JSON text and what it rests on; null where no node was asked for it. */
export interface FilterAnswer<Proof> {
  readonly raw: string
  readonly proof: Proof | null
  /** Takes back that it was told, so that the next poll tells it again; for an answer that did not reach its caller. */
  readonly onUndelivered?: () => void
}

export interface Filters<Proof> {
  /**
   * Answers the filter methods, by name and canonical params. Throws CallError: `filter-not-found` for an id that is
   * unknown, idle for too long or of another chain, `bad-params` for what no filter can watch, `overloaded` when there
   * are too many, `no-method` for any other method. What the ports throw goes through, and nothing is lost by it.
   */
  readonly answer: (
    method: string,
    params: readonly unknown[],
    chain: FilterChain<Proof>,
  ) => Promise<FilterAnswer<Proof>>
  readonly count: () => number
}

/** Logs of this definition, blocks, or pending transactions: no quorum agrees on those, so that there are never any. */
type Watched = LogFilter | 'blocks' | 'pending'

interface Filter {
  readonly chainId: number
  readonly caller: string | null
  readonly watched: Watched
  readonly definitionBytes: number
  trail: Trail
  trailBytes: number
  usedMs: number
  /** Polls that had something to tell. */
  tellings: number
  /** The poll that is going on: two at once would tell the same twice. */
  polling: Promise<unknown>
}

/** No filters at first. */
export function createFilters<Proof>({
  clock,
  randomBytes,
  filtersMax = 10_000,
  perCallerMax = 100,
  bytesMax = 67_108_864,
  idleMsMax = 300_000,
}: FiltersOptions): Filters<Proof> {
  // Maps keep the order of insertion, which is made the order of the last use.
  const filters = new Map<string, Filter>()
  let bytes = 0

  function drop(id: string): boolean {
    const filter = filters.get(id)
    if (filter !== undefined) bytes -= filter.definitionBytes + filter.trailBytes
    return filters.delete(id)
  }

  function countOf(caller: string | null): number {
    return caller === null ? 0 : [...filters.values()].filter((filter) => filter.caller === caller).length
  }

  function dropIdle(): void {
    for (const [id, { usedMs }] of filters) {
      if (clock.now() - usedMs <= idleMsMax) return
      drop(id)
    }
  }

  async function install(watched: Watched, chain: FilterChain<Proof>): Promise<string> {
    const trail = begin(await chain.head())
    const definitionBytes = bytesOf(watched)
    const trailBytes = bytesOf(trail)
    dropIdle()
    if (filters.size >= filtersMax || bytes + definitionBytes + trailBytes > bytesMax)
      throw new CallError('overloaded', { retryAfterMs: idleMsMax })
    const { chainId, caller } = chain
    if (countOf(caller) >= perCallerMax)
      throw new CallError('too-many-requests', { message: 'too many filters', retryAfterMs: idleMsMax })
    const id = hexOfBytes(randomBytes(new Uint8Array(16)))
    filters.set(id, {
      chainId,
      caller,
      watched,
      definitionBytes,
      trail,
      trailBytes,
      usedMs: clock.now(),
      tellings: 0,
      polling: Promise.resolve(),
    })
    bytes += definitionBytes + trailBytes
    return id
  }

  /** The filter, used now. */
  function use(id: string, chainId: number): Filter {
    dropIdle()
    const filter = filters.get(id)
    if (filter?.chainId !== chainId) throw new CallError('filter-not-found')
    filter.usedMs = clock.now()
    filters.delete(id)
    filters.set(id, filter)
    return filter
  }

  function changes(id: string, chain: FilterChain<Proof>): Promise<FilterAnswer<Proof>> {
    const filter = use(id, chain.chainId)
    const { watched } = filter
    if (watched === 'pending') return Promise.resolve({ raw: nothingNew, proof: null })
    const look = (trail: Trail) =>
      watched === 'blocks' ? pollBlocks(trail, chain) : pollLogs(trail, watched, chain)
    const run = async () => {
      let before: Trail
      let polled: Changes<Proof>
      // What an earlier poll told may be taken back while this one looks.
      do {
        before = filter.trail
        polled = await look(before)
      } while (filter.trail !== before)
      const { raw, trail, proof } = polled
      const isHere = () => filters.get(id) === filter
      if (isHere()) advance(filter, trail)
      if (raw === nothingNew) return { raw, proof }
      filter.tellings += 1
      const { tellings } = filter
      // What a later poll has told would be told twice.
      const onUndelivered = () => {
        if (isHere() && filter.tellings === tellings) advance(filter, before)
      }
      return { raw, proof, onUndelivered }
    }
    const polling = filter.polling.then(run, run)
    filter.polling = polling
    return polling
  }

  function advance(filter: Filter, polled: Trail): void {
    const isRoomy = bytes - filter.trailBytes + bytesOf(polled) <= bytesMax
    // Without room, what was told is forgotten but for its end: a reorg then takes nothing back, and nothing is missed.
    const trail = isRoomy ? polled : begin(last(polled))
    const trailBytes = bytesOf(trail)
    bytes += trailBytes - filter.trailBytes
    filter.trail = trail
    filter.trailBytes = trailBytes
  }

  return {
    async answer(method, params, chain) {
      const id = params[0] as string
      switch (method) {
        case 'eth_newFilter': {
          const definition = params[0] as LogFilter
          checkRange(definition)
          return told(await install(definition, chain))
        }
        case 'eth_newBlockFilter':
          return told(await install('blocks', chain))
        case 'eth_newPendingTransactionFilter':
          return told(await install('pending', chain))
        case 'eth_uninstallFilter':
          dropIdle()
          return told(filters.get(id)?.chainId === chain.chainId && drop(id))
        case 'eth_getFilterChanges':
          return changes(id, chain)
        case 'eth_getFilterLogs': {
          const { watched } = use(id, chain.chainId)
          if (typeof watched === 'string') throw new CallError('filter-not-found')
          return chain.logs(watched)
        }
        default:
          throw new CallError('no-method')
      }
    },
    count() {
      dropIdle()
      return filters.size
    },
  }
}

/** A filter watches from now on or between numbers, as in geth; there is nothing to come at a hash, or behind the head. */
function checkRange({ blockHash, fromBlock = 'latest', toBlock = 'latest' }: LogFilter): void {
  const refuse = (message: string) => new CallError('bad-params', { message })
  if (blockHash !== undefined) throw refuse('blockHash cannot be watched; use eth_getLogs')
  const [from, to] = [fromBlock, toBlock].map((end) => (end === 'earliest' ? '0x0' : end)) as [string, string]
  const isNumber = (end: string) => end.startsWith('0x')
  const isOpen = to === 'latest' && (from === 'latest' || isNumber(from))
  const isClosed = isNumber(from) && isNumber(to) && Number(from) <= Number(to)
  if (!isOpen && !isClosed) throw refuse('invalid block range params')
}

const told = (value: string | boolean) => ({ raw: JSON.stringify(value), proof: null })

function hexOfBytes(bytes: Uint8Array): string {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
