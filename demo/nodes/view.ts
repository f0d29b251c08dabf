import type { DemoCall, DemoReply, Say } from './demo-call.ts'

/**
 * The chain of one node: shorter than the real one (lagging) or with fabricated blocks (fabricating). All answers about
 * blocks, state, transactions and logs go through it, so they are consistent.
 */
export type DemoNodeView = {
  /** The last block it knows. */
  readonly head: number
  /** The real block behind a known number. */
  real(number: number): number
  /** Whether a block has no transactions in this view, regardless of the real block. */
  isEmpty(number: number): boolean
  /** The number of a block hash; null if this view has no such block. */
  numberOf(hash: string): Promise<number | null>
  /** `safe` and `finalized` in this view, from the real ones. */
  settled(realNumber: number): number
  /** A real block, transaction, receipt or log as this view returns it. `number` is its block in this view. */
  render(real: unknown, number: number): unknown
}

/** The index of the block parameter of each method. */
export const stateMethods: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_getStorageValues: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_createAccessList: 1,
  eth_simulateV1: 1,
  eth_getProof: 2,
}
const blockMethods = new Set([
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByNumber',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getUncleCountByBlockNumber',
  'eth_getUncleByBlockNumberAndIndex',
])
/** Methods by hash, with their counterparts by number. */
const hashMethods: Readonly<Record<string, string>> = {
  eth_getBlockByHash: 'eth_getBlockByNumber',
  eth_getBlockTransactionCountByHash: 'eth_getBlockTransactionCountByNumber',
  eth_getTransactionByBlockHashAndIndex: 'eth_getTransactionByBlockNumberAndIndex',
  eth_getUncleCountByBlockHash: 'eth_getUncleCountByBlockNumber',
  eth_getUncleByBlockHashAndIndex: 'eth_getUncleByBlockNumberAndIndex',
}

/** Replies about the transactions of an empty block. */
const nothing: Readonly<Record<string, unknown>> = {
  eth_getBlockReceipts: [],
  eth_getBlockTransactionCountByNumber: '0x0',
  eth_getTransactionByBlockNumberAndIndex: null,
}

/** Answers calls from a view, with the messages of geth for unknown blocks. */
export function sayWithin(view: DemoNodeView, callNode: Say): Say {
  const callAt = async (call: DemoCall, index: number, number: number): Promise<DemoReply> => {
    const params = [...call.params]
    params[index] = hex(view.real(number))
    const reply = await callNode({ method: call.method, params })
    return 'result' in reply ? { result: view.render(reply.result, number) } : reply
  }

  const numberFor = async (reference: unknown): Promise<number | null> => {
    if (reference === undefined || reference === null || reference === 'latest' || reference === 'pending') {
      return view.head
    }
    if (reference === 'earliest') return 0
    if (reference === 'safe' || reference === 'finalized') {
      const reply = await callNode({ method: 'eth_getBlockByNumber', params: [reference, false] })
      const block = 'result' in reply ? (reply.result as { number: string } | null) : null
      return block === null ? null : view.settled(Number(block.number))
    }
    if (typeof reference === 'object') {
      const { blockNumber, blockHash } = reference as { blockNumber?: unknown; blockHash?: unknown }
      return numberFor(blockHash ?? blockNumber)
    }
    const text = String(reference)
    if (text.length === 66) return view.numberOf(text)
    const number = Number(text)
    return number <= view.head ? number : null
  }

  const logs = async (call: DemoCall): Promise<DemoReply> => {
    const filter = (call.params[0] ?? {}) as { blockHash?: string; fromBlock?: unknown; toBlock?: unknown }
    const { blockHash, ...rest } = filter
    const from = await numberFor(blockHash ?? filter.fromBlock)
    const to = await numberFor(blockHash ?? filter.toBlock)
    if (blockHash !== undefined && from === null) return failed(-32000, 'unknown block')
    if (from === null || to === null) return failed(-32602, 'block range extends beyond current head block')
    if (view.isEmpty(from)) return { result: [] }
    const range = { fromBlock: hex(view.real(from)), toBlock: hex(view.real(to)) }
    const reply = await callNode({ method: call.method, params: [{ ...rest, ...range }] })
    return 'result' in reply ? { result: renderMany(reply.result) } : reply
  }

  const placed = async (call: DemoCall): Promise<DemoReply> => {
    const reply = await callNode(call)
    if (!('result' in reply)) return reply
    const number = blockOf(reply.result)
    if (number === null) return reply
    return { result: number > view.head ? null : view.render(reply.result, number) }
  }

  const renderMany = (real: unknown): unknown =>
    Array.isArray(real) ? real.map((one) => view.render(one, blockOf(one) ?? 0)) : real

  const feeHistory = async (call: DemoCall): Promise<DemoReply> => {
    const number = await numberFor(call.params[1])
    if (number === null) {
      return failed(-32000, `request beyond head block: requested ${call.params[1]}, head ${view.head}`)
    }
    return callAt(call, 1, number)
  }

  return async (call) => {
    if (call.method === 'eth_blockNumber') return { result: hex(view.head) }
    if (call.method === 'eth_getLogs') return logs(call)
    if (call.method === 'eth_feeHistory') return feeHistory(call)
    if (call.method === 'eth_getTransactionByHash' || call.method === 'eth_getTransactionReceipt')
      return placed(call)

    const stateIndex = stateMethods[call.method]
    if (stateIndex !== undefined) {
      const number = await numberFor(call.params[stateIndex])
      return number === null ? failed(-32000, 'header not found') : callAt(call, stateIndex, number)
    }
    const byNumber = hashMethods[call.method]
    if (byNumber !== undefined || blockMethods.has(call.method)) {
      const number = await numberFor(call.params[0])
      const method = byNumber ?? call.method
      if (number === null) return { result: null }
      return view.isEmpty(number) && method in nothing
        ? { result: nothing[method] }
        : callAt({ ...call, method }, 0, number)
    }
    return callNode(call)
  }
}

export function hex(number: number | bigint): string {
  return `0x${number.toString(16)}`
}

export function failed(code: number, message: string): DemoReply {
  return { error: { code, message } }
}

function blockOf(real: unknown): number | null {
  const { blockNumber } = (real ?? {}) as { blockNumber?: unknown }
  return typeof blockNumber === 'string' ? Number(blockNumber) : null
}
