import type { DemoCall, DemoReply, Say } from './demo-call.ts'

/**
 * The fee history as other clients return it. Its last base fee is that of the block after the requested ones. anvil always
 * uses its own next block instead, so two nodes a block apart would differ for the same call.
 */
export async function withNextFee(call: DemoCall, reply: DemoReply, callNode: Say): Promise<DemoReply> {
  if (call.method !== 'eth_feeHistory' || !('result' in reply)) return reply
  const history = reply.result as { oldestBlock: string; baseFeePerGas: string[]; gasUsedRatio: unknown[] }
  const next = BigInt(history.oldestBlock) + BigInt(history.gasUsedRatio.length)
  // Read after the history: if the block does not exist yet, anvil's next block is the right one.
  const parent = await callNode({ method: 'eth_getBlockByNumber', params: [`0x${next.toString(16)}`, false] })
  const block = 'result' in parent ? (parent.result as { baseFeePerGas: string } | null) : null
  if (block === null) return reply
  return {
    result: { ...history, baseFeePerGas: [...history.baseFeePerGas.slice(0, -1), block.baseFeePerGas] },
  }
}
