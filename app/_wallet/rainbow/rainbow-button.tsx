'use client'

import { ConnectButton } from '@rainbow-me/rainbowkit'
import type { ComponentProps } from 'react'
import { site } from '#site'
import type { WalletFacts } from '../wallet-types.ts'
import { RainbowProvider } from './rainbow-provider.tsx'

/** RainbowKit's button under a provider of its own: the one of the modals does not surround the pages. */
export default function RainbowButton({
  chains,
  ...props
}: ComponentProps<typeof ConnectButton> & Pick<WalletFacts, 'chains'>) {
  return (
    <RainbowProvider facts={{ appName: site.name, chains }}>
      <ConnectButton {...props} />
    </RainbowProvider>
  )
}
