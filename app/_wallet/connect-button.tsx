'use client'

import type { ConnectButton as RainbowConnectButton } from '@rainbow-me/rainbowkit'
import dynamic from 'next/dynamic'
import { type ComponentProps, useEffect } from 'react'
import { useWallet } from './wallet.ts'

const RainbowButton = dynamic(() => import('./rainbow/rainbow-button.tsx'), { ssr: false })

/** RainbowKit's button with RainbowKit's props, in any page. Its code is loaded with the page that shows it. */
export function ConnectButton(props: ComponentProps<typeof RainbowConnectButton>) {
  const { prepare } = useWallet()
  // Its list shows the wallets that `prepare` adds.
  useEffect(prepare, [prepare])
  return <RainbowButton {...props} />
}
