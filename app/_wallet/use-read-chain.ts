'use client'

import { useMemo } from 'react'
import { type Config, useConfig } from 'wagmi'
import type { Reads } from '#lib/page/quorate.ts'
import type { ReadChain } from '#lib/page/reading.ts'

/** Asks chains by wagmi's transport, in one batch with what wagmi asks. */
export function useReadChain(): ReadChain {
  const config = useConfig()
  return useMemo(() => (chainId, calls) => readsOf(config, chainId).read(calls), [config])
}

/** Reads chains in protected rounds. */
export function useReadProtected(): ReadChain {
  const config = useConfig()
  return useMemo(() => (chainId, calls) => readsOf(config, chainId).readProtected(calls), [config])
}

function readsOf(config: Config, chainId: number): Reads {
  return config.getClient({ chainId }).transport as unknown as Reads
}
