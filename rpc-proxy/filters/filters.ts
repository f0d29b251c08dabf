import type { Evidence } from '../events/evidence-types.ts'
import type { LogFilter } from '../methods/log-filter.ts'
import { CallError } from '../runtime/errors.ts'
import { nothingNew, type Trail } from './filter-position.ts'
import { type Changes, type FilterChain, pollBlocks, pollLogs } from './poll.ts'
import { type Filter, FilterStore, type FiltersOptions, type Watched } from './store.ts'

/** A result's JSON text and its evidence; null where no node was asked for it. */
interface FilterResult {
  readonly raw: string
  readonly evidence: Evidence | null
  /** Takes the poll back, so that the next one returns the same again; for an answer that did not reach its caller. */
  readonly onUndelivered?: () => void
}

/** The filters that callers have installed. */
export class Filters {
  readonly #store: FilterStore

  constructor(options: FiltersOptions) {
    this.#store = new FilterStore(options)
  }

  /**
   * Answers the filter methods, by name and canonical params. Throws CallError: `filter-not-found` for an id that is
   * unknown, idle for too long or of another chain, `bad-params` for what no filter can watch, `overloaded` when there
   * are too many, `no-method` for any other method. What the ports throw is thrown on, and no change is lost by it.
   */
  async call(method: string, params: readonly unknown[], chain: FilterChain): Promise<FilterResult> {
    const id = params[0] as string
    switch (method) {
      case 'eth_newFilter': {
        const definition = params[0] as LogFilter
        checkRange(definition)
        return this.#install(definition, chain)
      }
      case 'eth_newBlockFilter':
        return this.#install('blocks', chain)
      case 'eth_newPendingTransactionFilter':
        return this.#install('pending', chain)
      case 'eth_uninstallFilter':
        return plain(this.#store.remove(id, chain.chainId))
      case 'eth_getFilterChanges':
        return this.#changes(id, chain)
      case 'eth_getFilterLogs': {
        const { watched } = this.#store.use(id, chain.chainId)
        if (typeof watched === 'string') throw new CallError('filter-not-found')
        return chain.logs(watched)
      }
      default:
        throw new CallError('no-method')
    }
  }

  async #install(watched: Watched, chain: FilterChain): Promise<FilterResult> {
    const { chainId, caller } = chain
    return plain(this.#store.add({ chainId, caller, watched }, await chain.head()))
  }

  #changes(id: string, chain: FilterChain): Promise<FilterResult> {
    const filter = this.#store.use(id, chain.chainId)
    const { watched } = filter
    if (watched === 'pending') return Promise.resolve({ raw: nothingNew, evidence: null })
    const run = () => this.#poll(filter, watched, chain)
    const polling = filter.polling.then(run, run)
    filter.polling = polling
    return polling
  }

  async #poll(
    filter: Filter,
    watched: Exclude<Watched, 'pending'>,
    chain: FilterChain,
  ): Promise<FilterResult> {
    let before: Trail
    let polled: Changes
    // An earlier poll may be taken back while this one looks.
    do {
      before = filter.trail
      polled = await (watched === 'blocks' ? pollBlocks(before, chain) : pollLogs(before, watched, chain))
    } while (filter.trail !== before)
    const { raw, trail, evidence } = polled
    this.#store.advance(filter, trail)
    if (raw === nothingNew) return { raw, evidence }
    filter.tellings += 1
    const { tellings } = filter
    // Once a later poll has returned changes, taking this one back would repeat them.
    const onUndelivered = () => {
      if (filter.tellings === tellings) this.#store.advance(filter, before)
    }
    return { raw, evidence, onUndelivered }
  }
}

const plain = (value: string | boolean) => ({ raw: JSON.stringify(value), evidence: null })

/** A filter watches from now on or between numbers, as in geth; nothing new can come at a block hash or below the head. */
function checkRange({ blockHash, fromBlock = 'latest', toBlock = 'latest' }: LogFilter): void {
  const invalid = (message: string) => new CallError('bad-params', { message })
  if (blockHash !== undefined) throw invalid('blockHash cannot be watched; use eth_getLogs')
  const [from, to] = [fromBlock, toBlock].map((end) => (end === 'earliest' ? '0x0' : end)) as [string, string]
  const isNumber = (end: string) => end.startsWith('0x')
  const isOpen = to === 'latest' && (from === 'latest' || isNumber(from))
  const isClosed = isNumber(from) && isNumber(to) && Number(from) <= Number(to)
  if (!isOpen && !isClosed) throw invalid('invalid block range params')
}
