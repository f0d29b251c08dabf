import { numberToHex } from 'viem'
import { beforeEach, expect, test, vi } from 'vitest'
import { waitForTransactionReceipt } from 'wagmi/actions'
// Loaded before the clock is a virtual one.
import '#lib/page/viem-request.ts'
import { configWith } from './one-chain.ts'

const hash = `0x${'ab'.repeat(32)}` as const
const blockMs = 2000
const pollMs = 4000

beforeEach(() => void vi.useFakeTimers({ now: 0 }))

/** A gateway with a block every two seconds, and a receipt from this time on. */
function serveReceipt(fromMs: number): void {
  const blockAt = (ms: number) => numberToHex(Math.floor(ms / blockMs))
  const head = () => blockAt(Date.now())
  const receipt = {
    blockHash: hash,
    transactionHash: hash,
    blockNumber: blockAt(fromMs),
    logs: [],
    status: '0x1',
  }
  const answers: Readonly<Record<string, () => unknown>> = {
    eth_blockNumber: head,
    eth_getTransactionReceipt: () => (Date.now() < fromMs ? null : receipt),
    // While there is no receipt, viem looks for a transaction that has replaced this one.
    eth_getBlockByNumber: () => ({ number: head(), transactions: [] }),
    eth_getTransactionByHash: () => ({ hash, blockNumber: null, from: `0x${'1'.repeat(40)}`, nonce: '0x1' }),
  }
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    const calls: readonly { id: number; method: string }[] = [JSON.parse(body)].flat()
    return Response.json(
      calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: answers[method]?.() ?? null })),
    )
  })
}

test.each([3000, 7000, 12_500, 30_100])(
  'useWaitForTransactionReceipt is told within one block and a poll: included after %i ms',
  async (includedMs) => {
    serveReceipt(includedMs)
    const received = vi.fn()
    void waitForTransactionReceipt(configWith(), { hash, chainId: 137 }).then(received)
    await vi.advanceTimersByTimeAsync(includedMs - 1)
    expect(received).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1 + blockMs + pollMs + 100)
    expect(received).toHaveBeenCalledOnce()
  },
)
