import type { DemoCall, DemoReply, Say } from './demo-call.ts'
import type { Upstream } from './upstream.ts'

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

/**
 * The chain some blocks ago. One HTTP request sees one head. All answers about blocks, state, transactions and logs go through
 * it, so they are consistent; for unknown blocks they have the messages of geth.
 */
export async function sayLate({ head: realHead, callNode }: Upstream, blocks: number): Promise<Say> {
  const head = Math.max(0, (await realHead()) - blocks)
  const numberOf = async (method: string, reference: unknown): Promise<number | null> => {
    const reply = await callNode({ method, params: [reference, false] })
    const block = 'result' in reply ? (reply.result as { number: string } | null) : null
    return block === null ? null : Number(block.number)
  }
  const known = (number: number | null) => (number !== null && number <= head ? number : null)

  const numberFor = async (reference: unknown): Promise<number | null> => {
    if (reference === undefined || reference === null || reference === 'latest' || reference === 'pending') {
      return head
    }
    if (reference === 'earliest') return 0
    if (reference === 'safe' || reference === 'finalized') {
      const number = await numberOf('eth_getBlockByNumber', reference)
      return number === null ? null : Math.max(0, number - blocks)
    }
    if (typeof reference === 'object') {
      const { blockNumber, blockHash } = reference as { blockNumber?: unknown; blockHash?: unknown }
      return numberFor(blockHash ?? blockNumber)
    }
    const text = String(reference)
    return known(text.length === 66 ? await numberOf('eth_getBlockByHash', text) : Number(text))
  }

  const callAt = ({ method, params }: DemoCall, index: number, number: number) =>
    callNode({ method, params: Object.assign([...params], { [index]: hex(number) }) })

  const logs = async (call: DemoCall): Promise<DemoReply> => {
    const filter = (call.params[0] ?? {}) as { blockHash?: string; fromBlock?: unknown; toBlock?: unknown }
    const { blockHash, ...rest } = filter
    const from = await numberFor(blockHash ?? filter.fromBlock)
    const to = await numberFor(blockHash ?? filter.toBlock)
    if (blockHash !== undefined && from === null) return failed(-32000, 'unknown block')
    if (from === null || to === null) return failed(-32602, 'block range extends beyond current head block')
    return callNode({ method: call.method, params: [{ ...rest, fromBlock: hex(from), toBlock: hex(to) }] })
  }

  const placed = async (call: DemoCall): Promise<DemoReply> => {
    const reply = await callNode(call)
    return 'result' in reply && blockOf(reply.result) > head ? { result: null } : reply
  }

  return async (call) => {
    if (call.method === 'eth_blockNumber') return { result: hex(head) }
    if (call.method === 'eth_getLogs') return logs(call)
    if (call.method === 'eth_feeHistory') {
      const number = await numberFor(call.params[1])
      return number === null
        ? failed(-32000, `request beyond head block: requested ${call.params[1]}, head ${head}`)
        : callAt(call, 1, number)
    }
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
      return number === null
        ? { result: null }
        : callAt({ ...call, method: byNumber ?? call.method }, 0, number)
    }
    return callNode(call)
  }
}

export function hex(number: number | bigint): string {
  return `0x${number.toString(16)}`
}

function failed(code: number, message: string): DemoReply {
  return { error: { code, message } }
}

/** The number of the block of a transaction or receipt; 0 while it is in none. */
function blockOf(real: unknown): number {
  const { blockNumber } = (real ?? {}) as { blockNumber?: unknown }
  return typeof blockNumber === 'string' ? Number(blockNumber) : 0
}
