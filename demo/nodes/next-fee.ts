import type { Call, Reply, Say } from './exchange.ts'

/**
 * The fee history as other nodes tell it. Its last base fee is that of the block after those asked; anvil always puts its own
 * next block's there, so two nodes asked about one block, a block apart, would differ.
 */
export async function withNextFee(call: Call, reply: Reply, ask: Say): Promise<Reply> {
  if (call.method !== 'eth_feeHistory' || !('result' in reply)) return reply
  const history = reply.result as { oldestBlock: string; baseFeePerGas: string[]; gasUsedRatio: unknown[] }
  const next = BigInt(history.oldestBlock) + BigInt(history.gasUsedRatio.length)
  // Asked after the history: where it is not there yet, anvil's next block is the one meant.
  const asked = await ask({ method: 'eth_getBlockByNumber', params: [`0x${next.toString(16)}`, false] })
  const block = 'result' in asked ? (asked.result as { baseFeePerGas: string } | null) : null
  if (block === null) return reply
  return {
    result: { ...history, baseFeePerGas: [...history.baseFeePerGas.slice(0, -1), block.baseFeePerGas] },
  }
}
