'use client'

import { ConnectButton } from '@rainbow-me/rainbowkit'
import { useAccount } from 'wagmi'

export default function Page() {
  const { status } = useAccount()
  return (
    <main data-phase={status}>
      <h1>Stock</h1>
      <ConnectButton />
    </main>
  )
}
