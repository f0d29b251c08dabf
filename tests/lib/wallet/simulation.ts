import type { Hex } from 'viem'
import type { ReadCall } from '#lib/page/reading.ts'
import { agreed } from '../../support/readings.ts'

/** The calls that nodes are asked to simulate. */
export function simulatedIn({ params }: ReadCall) {
  const [{ blockStateCalls }] = params as [{ blockStateCalls: [{ calls: { to: Hex; data: Hex }[] }] }]
  return blockStateCalls[0].calls
}

/** What a simulation shows of each call. */
export const simulated = (...calls: readonly object[]) => agreed([{ calls }])

/** A call that succeeds, and one that does not. */
export const done = (returnData: Hex = '0x', logs: readonly object[] = []) => ({
  status: '0x1',
  returnData,
  logs,
})
export const failed = { status: '0x0', returnData: '0x' } as const
