'use client'

import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { WagmiProvider } from 'wagmi'
import { createWalletConfig } from '#lib/wallet/config.ts'
import { createQueries } from '#lib/wallet/queries.ts'
import type { WalletFacts } from './facts.ts'
import { WalletDoor } from './wallet-door.tsx'

/** Wraps the pages that know a wallet. Everything in it is made anew for each request and each tab. */
export function Providers({ facts, children }: { facts: WalletFacts; children: React.ReactNode }) {
  const [config] = useState(() => createWalletConfig(facts))
  const [queries] = useState(createQueries)
  return (
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={queries}>
        <WalletDoor facts={facts}>{children}</WalletDoor>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
