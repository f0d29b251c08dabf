import { getAddress } from 'viem'
import { type CreateConnectorFn, createConnector } from 'wagmi'
import { site } from '#lib/site.ts'
import { corePrefix, mendCores } from './relay-core.ts'

export interface RelayOptions {
  readonly appName: string
  readonly walletConnectId: string
}

/** WalletConnect's options, the same for every row that goes by the relay: RainbowKit keeps one client for each set. */
export function relayed({ appName, walletConnectId }: RelayOptions) {
  mendCores()
  const metadata = {
    name: appName,
    description: site.description,
    url: location.origin,
    icons: [`${location.origin}${site.logo}`],
  }
  return {
    projectId: walletConnectId,
    options: {
      metadata,
      customStoragePrefix: corePrefix,
      // wagmi keeps the chains that it asked for in a storage that we do not give it, and would end every session at a reload.
      isNewChainsStale: false,
    },
  }
}

type Accounts = readonly string[]

interface SessionUpdate {
  readonly params: Session
}

interface Session {
  readonly namespaces: { readonly eip155?: { readonly accounts: Accounts } }
}

interface RelayProvider {
  readonly chainId: number
  readonly accounts: Accounts
  readonly session?: Session
  readonly signer: { readonly setDefaultChain: (chain: string) => void }
  readonly on: (event: 'session_update', hear: (update: SessionUpdate) => void) => void
}

/**
 * A wallet behind the relay may show other accounts by an update of its session alone, and may switch to a chain before it shows an
 * account there. wagmi does not hear the first, and takes the second for the end of the session.
 */
export function keepSession(create: CreateConnectorFn): CreateConnectorFn {
  return createConnector((config) => {
    const connector = create(config)
    if (connector.type !== 'walletConnect') return connector as never
    const providerOf = async (self: unknown) =>
      (await connector.getProvider.call(self as never)) as RelayProvider
    let isHeard = false
    return {
      ...connector,
      async connect(wish: object = {}) {
        const connected = await connector.connect.call(this, wish)
        const provider = await providerOf(this)
        if (!isHeard)
          provider.on('session_update', ({ params }) => {
            const chain = `eip155:${provider.chainId}:`
            const shown = accountsOf(params).filter((account) => account.startsWith(chain))
            const accounts = shown.map((account) => getAddress(account.slice(chain.length)))
            if (accounts.length > 0) config.emitter.emit('change', { accounts })
          })
        isHeard = true
        return connected as never
      },
      async isAuthorized() {
        const provider = await providerOf(this)
        const [account] = accountsOf(provider.session)
        // The page was left on a chain where the session has no account: it comes back on one where it has.
        if (account !== undefined && provider.accounts.length === 0)
          provider.signer.setDefaultChain(account.slice(0, account.lastIndexOf(':')))
        return connector.isAuthorized.call(this)
      },
      async onAccountsChanged(accounts: string[]) {
        // The end of a session has an event of its own.
        const isOnlyElsewhere = accounts.length === 0 && (await providerOf(this)).session !== undefined
        if (!isOnlyElsewhere) connector.onAccountsChanged.call(this, accounts)
      },
    } as never
  }) as CreateConnectorFn
}

function accountsOf(session: Session | undefined): Accounts {
  return session?.namespaces.eip155?.accounts ?? []
}
