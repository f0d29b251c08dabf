import { createChance } from '../../support/chance.ts'
import type { ClientRequest, Entry } from './calls.ts'
import type { WorldChain } from './world.ts'

/** In one of so many ordinary worlds some callers protect their calls. */
const protectedEvery = 6

/** Drawn apart from everything else, so that a world without them is the same as before there were any. */
export function withProtection(
  seed: number,
  chains: readonly WorldChain[],
  clientRequests: readonly ClientRequest[],
): readonly ClientRequest[] {
  const isPoisoned = chains.some(({ theme }) => theme === 'poisoned')
  const isOrdinary = chains.every(
    ({ reset, theme, hasReorg }) => reset === null && theme !== 'pauses' && theme !== 'standing' && !hasReorg,
  )
  if (!isPoisoned && !(isOrdinary && seed % protectedEvery === 1)) return clientRequests
  const chance = createChance(seed ^ 0x3d4d51cb)
  const share = chance.pick([0.2, 0.5, 1])
  // Drawn apart as well.
  const bridges = createChance(seed ^ 0x51bb1d6e)
  return clientRequests.map((request) => {
    const isProtected = chance.roll(share)
    return { ...request, isProtected, isBridge: isProtected && bridges.roll(0.3) }
  })
}

/** All operators must agree on it. */
export function isByAll({ isBridge }: ClientRequest, { method, agreement }: Entry): boolean {
  return isBridge && (agreement === 'logs' || receipts.has(method))
}

const receipts = new Set(['eth_getTransactionReceipt', 'eth_getBlockReceipts'])

/** Its caller wants a protected round for it, or the configuration does: its method, or a contract that it calls. */
export function isProtected(
  { chain, isProtected: isWanted }: ClientRequest,
  { method, call }: Entry,
): boolean {
  const { methods, contracts } = chain.protect
  const isContract = contracts.some((contract) => call?.subject.startsWith(`${contract},`))
  return isWanted || methods.includes(method) || isContract
}
