import { Filters } from '../../../../rpc-proxy/filters/filters.ts'
import type { FilterChain } from '../../../../rpc-proxy/filters/poll.ts'
import type { FiltersOptions } from '../../../../rpc-proxy/filters/store.ts'
import { methodSpec } from '../../../../rpc-proxy/methods/table.ts'
import { CallError } from '../../../../rpc-proxy/runtime/errors.ts'
import { evidence } from '../../../support/evidence.ts'

/** A chain under control of the test. By default every block has one log. */
export function fakeChain(chainId = 137, logsRangeMax = 10_000, answerBytesMax = 1_000_000) {
  let blocks: { readonly hash: string; readonly logs: number }[] = []
  const asked: string[] = []
  const hooks = { afterLogs: () => {}, failLogs: false, isSure: true, unknown: new Set<number>() }
  const logsAt = (number: number) => {
    const block = blocks[number]!
    return Array.from({ length: block.logs }, (_, index) => ({
      blockNumber: `0x${number.toString(16)}`,
      blockHash: block.hash,
      logIndex: `0x${index}`,
      data: `0x${block.hash}`,
      removed: false,
    }))
  }
  const chain: FilterChain = {
    chainId,
    caller: null,
    logsRangeMax,
    answerBytesMax,
    head: async () => ({ number: blocks.length - 1, hash: blocks.at(-1)!.hash }),
    hashAt: async (number) => (hooks.unknown.has(number) ? null : (blocks[number]?.hash ?? null)),
    async logs({ fromBlock, toBlock }) {
      const end = (text = 'latest') =>
        text === 'latest' ? blocks.length - 1 : text === 'earliest' ? 0 : Number(text)
      const [from, to] = [end(fromBlock), end(toBlock)]
      asked.push(`${from}-${to}`)
      if (hooks.failLogs) throw new CallError('no-quorum')
      const logs = blocks.slice(from, to + 1).flatMap((_, index) => logsAt(from + index))
      hooks.afterLogs()
      return { raw: JSON.stringify(logs), evidence: evidence({ id: `${from}-${to}` }), isSure: hooks.isSure }
    },
  }
  /** Adds blocks up to this number; `branch` goes into their hashes. */
  const grow = (to: number, { branch = 'a', logs = 1 } = {}) => {
    for (let number = blocks.length; number <= to; number += 1)
      blocks.push({ hash: `${branch}${number}`, logs })
  }
  const cut = (to: number) => {
    blocks = blocks.slice(0, to + 1)
  }
  return { chain, asked, hooks, grow, cut }
}

/** Filters over one chain whose head is block 100. */
export function world({
  logsRangeMax,
  answerBytesMax,
  ...rest
}: Partial<FiltersOptions> & { logsRangeMax?: number; answerBytesMax?: number } = {}) {
  const time = { ms: 0 }
  let count = 0
  let caller: string | null = null
  const fake = fakeChain(137, logsRangeMax, answerBytesMax)
  fake.grow(100)
  const filters = new Filters({
    clock: { now: () => time.ms, after: () => () => {} },
    randomBytes: (bytes) => bytes.fill(++count),
    ...rest,
  })
  /** Params in canonical form, as the gateway sees them. */
  const ask = async (method: string, ...params: unknown[]) => {
    const chain = { ...fake.chain, caller }
    return JSON.parse((await filters.call(method, methodSpec(method).parse(params), chain)).raw)
  }
  const changes = async (id: string) =>
    (await ask('eth_getFilterChanges', id)).map((item: string | { removed: boolean; data: string }) =>
      typeof item === 'string' ? item : `${item.removed ? '-' : '+'}${item.data.slice(2)}`,
    )
  /** Sets the caller of the following calls. */
  const as = (next: string | null) => {
    caller = next
  }
  return { ...fake, time, filters, ask, as, changes }
}

/** The same with a filter of logs, as it is defined, whose changes are polled. */
export async function withFilter(definition: object = {}, options: Parameters<typeof world>[0] = {}) {
  const { changes, ...rest } = world(options)
  const id: string = await rest.ask('eth_newFilter', definition)
  return { ...rest, id, changes: () => changes(id) }
}
