import { ConnectButton } from '@rainbow-me/rainbowkit'
import type { ComponentProps } from 'react'
import { site } from '#site'
import { RainbowProvider } from './rainbow-provider.tsx'

/** RainbowKit's button under a provider of its own: the one of the modals does not surround the pages. */
export default function RainbowButton(props: ComponentProps<typeof ConnectButton>) {
  return (
    <RainbowProvider appName={site.name}>
      <ConnectButton {...props} />
    </RainbowProvider>
  )
}
