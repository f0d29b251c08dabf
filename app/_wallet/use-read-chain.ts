import { useMemo } from 'react'
import { useConfig } from 'wagmi'
import type { Reads } from '#lib/page/quorate.ts'
import type { ReadChain } from '#lib/page/reading.ts'

/** Asks chains by wagmi's transport, in one batch with what wagmi asks. */
export const useReadChain = () => useReads('read')

/** Reads chains in protected rounds. */
export const useReadProtected = () => useReads('readProtected')

function useReads(kind: keyof Reads): ReadChain {
  const config = useConfig()
  return useMemo(
    () => (chainId, calls) => (config.getClient({ chainId }).transport as unknown as Reads)[kind](calls),
    [config, kind],
  )
}
