import { type CreateConnectorFn, injected } from 'wagmi'
import type { InjectedProvider } from './injected.ts'

export interface AnnouncedWallet {
  readonly id: string
  readonly name: string
  readonly icon: string
  readonly provider: InjectedProvider
  /** Where RainbowKit lists it as one of its own. */
  readonly rkDetails?: object
}

/** For `import()`: with the errors of viem that it throws, nine kilobytes. */
export function wagmiInjected(wallet: AnnouncedWallet): CreateConnectorFn {
  const icon = wallet.icon as `data:image/${string}`
  return injected({ target: { ...wallet, icon, provider: wallet.provider as never } })
}
