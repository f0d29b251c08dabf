'use client'

import { useSyncExternalStore } from 'react'
import { type Config, useConfig } from 'wagmi'

export interface ConnectionState {
  readonly status: Config['state']['status']
  readonly address: `0x${string}` | undefined
  readonly chainId: number | undefined
}

/** The parts of wagmi's `useAccount` that the first paint needs, in a kilobyte less. */
export function useConnection(): ConnectionState {
  const config = useConfig()
  const { status, current, connections } = useSyncExternalStore(
    (changed) => config.subscribe((state) => state, changed),
    () => config.state,
    () => config.state,
  )
  const connection = current ? connections.get(current) : undefined
  return { status, address: connection?.accounts[0], chainId: connection?.chainId }
}
