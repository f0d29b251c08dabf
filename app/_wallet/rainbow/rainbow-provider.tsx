import {
  type AvatarComponent,
  cssStringFromTheme,
  darkTheme,
  lightTheme,
  RainbowKitProvider,
} from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { useSyncExternalStore } from 'react'
import { provideClipboard } from '#lib/page/clipboard.ts'
import { provideStorage } from '#lib/wallet/provide-storage.ts'
import { Avatar } from '../../_ui/avatar.tsx'
import { themed } from '../../_ui/colours.ts'
import './rainbow.css'

provideStorage()
provideClipboard()

/** The nonce of the page. Browsers hide the attribute from selectors and style sheets, but not from running scripts. */
const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce
// Libraries read it under this name for their own styles, e.g. the scroll lock of the modals.
Object.assign(globalThis, { __webpack_nonce__: nonce })

export interface RainbowProviderProps {
  readonly appName: string
  readonly isCompact?: boolean
  readonly children: React.ReactNode
}

/** RainbowKit with the site's theme. Loaded in browsers only. */
export function RainbowProvider({ appName, isCompact = false, children }: RainbowProviderProps) {
  const isWide = useMedia('(min-width: 768px)')
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  return (
    <RainbowKitProvider
      appInfo={{ appName }}
      avatar={RosetteAvatar}
      coolMode={!isStill}
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

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}

const RosetteAvatar: AvatarComponent = ({ address, size }) => <Avatar address={address} size={size} />

const options = {
  accentColor: 'var(--surface-3)',
  accentColorForeground: 'var(--accent-strong)',
  borderRadius: 'large',
  overlayBlur: 'small',
} as const
const dark = darkTheme(options)
const light = lightTheme(options)

/** RainbowKit's own colours for what is not named below. */
const base = Object.fromEntries(
  (Object.keys(dark.colors) as (keyof typeof dark.colors)[]).map((name) => [
    name,
    themed({ light: light.colors[name], dark: dark.colors[name] }),
  ]),
) as typeof dark.colors

const theme: typeof dark = {
  ...dark,
  fonts: { body: 'var(--font-ui), system-ui, sans-serif' },
  colors: {
    ...base,
    modalBackground: 'var(--surface)',
    modalBackdrop: 'var(--backdrop)',
    modalBorder: 'var(--line)',
    generalBorder: 'var(--line)',
    generalBorderDim: 'var(--line)',
    menuItemBackground: 'var(--line)',
    profileForeground: 'var(--surface)',
    profileAction: 'var(--surface-2)',
    profileActionHover: 'var(--surface-3)',
    modalText: 'var(--text)',
    modalTextSecondary: 'var(--muted)',
    modalTextDim: 'var(--faint)',
    selectedOptionBorder: 'var(--accent-line)',
    connectionIndicator: 'var(--accent)',
    error: 'var(--bad)',
    closeButton: 'var(--muted)',
    closeButtonBackground: 'var(--line)',
    // Gradients, which light-dark() does not take.
    connectButtonInnerBackground: 'var(--surface-2)',
    downloadBottomCardBackground: 'var(--surface)',
    downloadTopCardBackground: 'var(--surface-2)',
  },
}

/** RainbowKit would add this style without a nonce, which the CSP refuses. */
const themeCss = `[data-rk]{${cssStringFromTheme(theme)}}`
