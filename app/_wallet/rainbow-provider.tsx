'use client'

import {
  type AvatarComponent,
  cssStringFromTheme,
  darkTheme,
  RainbowKitProvider,
} from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { provideClipboard } from '#lib/page/clipboard.ts'
import { provideStorage } from '#lib/wallet/provide-storage.ts'
import { site } from '#site'
import { Avatar } from '../_ui/avatar.tsx'
import type { WalletFacts } from './wallet-types.ts'
import './rainbow-host.css'
import { useMedia } from './use-media.ts'

provideStorage()
provideClipboard()

/** The nonce of the page. Browsers hide the attribute from selectors and style sheets, but not from running scripts. */
const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce
// Libraries read it under this name for their own styles, e.g. the scroll lock of the modals.
Object.assign(globalThis, { __webpack_nonce__: nonce })

export interface RainbowProviderProps {
  readonly facts: Pick<WalletFacts, 'appName' | 'chains'>
  readonly isCompact?: boolean
  readonly children: React.ReactNode
}

/** RainbowKit with the site's theme. Loaded in browsers only. */
export function RainbowProvider({ facts, isCompact = false, children }: RainbowProviderProps) {
  const isWide = useMedia('(min-width: 768px)')
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  const initialChain = facts.chains.some(({ id }) => id === site.initialChainId)
    ? site.initialChainId
    : undefined
  return (
    <RainbowKitProvider
      appInfo={{ appName: facts.appName }}
      avatar={RosetteAvatar}
      coolMode={!isStill}
      {...(initialChain && { initialChain })}
      modalSize={isWide && !isCompact ? 'wide' : 'compact'}
      locale="en"
      showRecentTransactions
      theme={null}
    >
      <style nonce={nonce}>{themeCss}</style>
      {children}
    </RainbowKitProvider>
  )
}

const RosetteAvatar: AvatarComponent = ({ address, size }) => <Avatar address={address} size={size} />

const base = darkTheme({
  accentColor: 'var(--accent)',
  accentColorForeground: 'var(--on-accent)',
  borderRadius: 'large',
  overlayBlur: 'small',
})

const theme: typeof base = {
  ...base,
  fonts: { body: 'var(--font-ui), system-ui, sans-serif' },
  colors: {
    ...base.colors,
    modalBackground: 'var(--surface)',
    modalBackdrop: 'rgba(8, 8, 10, 0.62)',
    modalBorder: 'rgba(255, 248, 230, 0.09)',
    generalBorder: 'rgba(255, 248, 230, 0.09)',
    generalBorderDim: 'rgba(255, 248, 230, 0.05)',
    menuItemBackground: 'rgba(255, 248, 230, 0.06)',
    profileForeground: 'var(--surface)',
    profileAction: 'rgba(255, 248, 230, 0.06)',
    profileActionHover: 'rgba(255, 248, 230, 0.1)',
    modalText: 'var(--text)',
    modalTextSecondary: 'var(--muted)',
    modalTextDim: 'var(--faint)',
    selectedOptionBorder: 'var(--gold-line)',
    connectionIndicator: 'var(--gold)',
    closeButton: 'var(--muted)',
    closeButtonBackground: 'rgba(255, 248, 230, 0.08)',
  },
}

/** RainbowKit would add this style without a nonce, which the CSP refuses. */
const themeCss = `[data-rk]{${cssStringFromTheme(theme)}}`
